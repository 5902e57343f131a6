// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for a result as a file of JSON; used as {@code @Mixin JsonFile json}. */
public final class JsonFile {
  @Option(names = "--json", paramLabel = "FILE", description = "Write the result into FILE.")
  private Path file;

  /** Refuses a file whose folder isn't there, before the work for it begins. */
  public void requireFolder() {
    Path folder = file == null ? null : file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure(
          "there is no folder " + folder, "make it, or name another file by --json");
    }
  }

  /** Writes the result if a file was given, replacing it. */
  public void write(Object result) throws IOException {
    if (file != null) {
      Json.write(file, result);
    }
  }
}
