// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The end of a run of one of an engine's command-line tools.
 *
 * @param output standard output and error
 */
public record ToolRun(int exitCode, String output) {

  /** Runs {@code command} in {@code folder} to its end; an error if that takes too long. */
  public static ToolRun of(String name, List<String> command, Path folder, Duration limit)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "tool", ".out");
    try (ChildProcess tool = ChildProcess.start(name, command, Map.of(), folder, output)) {
      int exitCode = tool.awaitExit(limit);
      return new ToolRun(exitCode, Files.readString(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
