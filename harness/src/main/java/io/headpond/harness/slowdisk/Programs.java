// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The programs that make and take away a limited home.
 *
 * @param folders where they are looked for
 */
record Programs(List<Path> folders) {

  /** The programs that a set-up and its take-down need. */
  private static final List<String> ALL =
      List.of("setsid", "losetup", "fallocate", "mkfs.ext4", "mount", "umount", "sync");

  /** The programs of this machine: on the PATH, and where root has its own. */
  static Programs ofMachine() {
    String path = System.getenv().getOrDefault("PATH", "");
    return new Programs(
        Stream.concat(
                Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/sbin", "/sbin", "/bin"))
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList());
  }

  /** Refuses a machine that lacks one of them. */
  void require() throws IOException {
    for (String program : ALL) {
      find(program);
    }
  }

  private Path find(String program) throws IOException {
    return folders.stream()
        .map(folder -> folder.resolve(program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "there is no program "
                        + program
                        + ", which --home-limit needs; install util-linux, e2fsprogs and"
                        + " coreutils"));
  }

  /**
   * Runs one to its end, in a session of its own: a Ctrl-C ends this JVM, which still needs it.
   *
   * @return what it printed
   * @throws IOException if it fails, with what it printed
   */
  String run(String program, Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(find("setsid").toString());
    command.add(find(program).toString());
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          String.join(" ", command.subList(1, command.size()))
              + " failed with "
              + exitCode
              + ": "
              + said.strip());
    }
    return said.strip();
  }
}
