// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of the system that judge what Headpond shows. */
public final class Programs {
  /** What a program said on both outputs, and how it ended. */
  public record Run(int exitCode, String output) {}

  private Programs() {}

  /** Where it is: {@code -Dheadpond.test.NAME=FILE}, or on the path. */
  public static Optional<Path> find(final String name) {
    final String named = System.getProperty("headpond.test." + name, "");
    return named.isBlank()
        ? Stream.of(System.getenv("PATH").split(":"))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst()
        : Optional.of(Path.of(named));
  }

  /** Runs it with an input, for a minute at most. */
  public static Run run(final String input, final String... command)
      throws IOException, InterruptedException {
    final Path output = Files.createTempFile("headpond-program", ".txt");
    final Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      try (OutputStream in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        throw new IOException(String.join(" ", command) + ": didn't end within a minute");
      }
      return new Run(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
