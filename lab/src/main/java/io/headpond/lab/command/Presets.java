// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Scenarios with their options as files: {@code conf/scenarios/NAME.args}, each an argument file of
 * picocli (words apart by white space, comments behind {@code #}) that begins with the scenario.
 * Options that follow the name on the command line replace those of the file.
 */
public final class Presets {
  /** Set by the launcher script: the source tree, or the unpacked archive. */
  private static final String INSTALLATION = "headpond.installation";

  private static final String SUFFIX = ".args";

  private final Path folder;

  /** The presets that this installation comes with. */
  public static Presets ofInstallation() {
    return new Presets(Path.of(System.getProperty(INSTALLATION, "."), "conf", "scenarios"));
  }

  Presets(Path folder) {
    this.folder = folder;
  }

  /** The names of all presets, in order; none if there is no folder. */
  List<String> names() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .toList();
    }
  }

  /**
   * Puts the file in the place of the name in {@code run NAME ...}.
   *
   * @param scenarios names that stand for themselves
   * @return the same arguments if they name no preset
   */
  public String[] expanded(String[] args, Collection<String> scenarios) {
    if (args.length < 2 || !args[0].equals("run") || scenarios.contains(args[1])) {
      return args;
    }
    Path file = folder.resolve(args[1] + SUFFIX).normalize();
    if (!folder.normalize().equals(file.getParent()) || !Files.isRegularFile(file)) {
      return args;
    }
    String[] all = args.clone();
    all[1] = "@" + file;
    return all;
  }
}
