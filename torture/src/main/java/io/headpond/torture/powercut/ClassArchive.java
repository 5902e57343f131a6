// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The archives of an engine's classes, one for each Java of its guest (class data sharing): half of
 * an engine's start is the loading of its classes. A run of the engine on the host, by the guest's
 * own Java and with its class path, makes them when it ends. A JVM that can't use one goes on
 * without.
 */
final class ClassArchive {
  private final Path folder;

  /**
   * @param folder of the archives; one that is there is used
   */
  ClassArchive(Path folder) {
    this.folder = folder;
  }

  private Path file(int java) {
    return folder.resolve("classes-" + java + ".jsa");
  }

  boolean exists(int java) {
    return Files.exists(file(java));
  }

  /** The option of a run on the host that makes it; none if it is there. */
  List<String> making(int java) {
    return exists(java) ? List.of() : List.of("-XX:ArchiveClassesAtExit=" + file(java));
  }

  /** The option of a guest's JVM, with a blank behind it; empty if it isn't there. */
  String using(int java) {
    return exists(java) ? "-XX:SharedArchiveFile=/app/" + file(java).getFileName() + " " : "";
  }

  /** What the guest needs of it. */
  List<Path> files(int java) {
    return exists(java) ? List.of(file(java)) : List.of();
  }
}
