// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The archives of an engine's classes, one for each Java of its guest (class data sharing): half of
 * an engine's start is the loading of its classes. A run of the engine on the host, by the guest's
 * own Java and with its class path, makes one when it ends. They are kept with the guest's image. A
 * JVM that can't use one goes on without.
 */
final class ClassArchive {
  private final Path image;
  private final String engine;

  /**
   * @param image of the guest
   * @param engine as the files' names call it
   */
  ClassArchive(Path image, String engine) {
    this.image = image;
    this.engine = engine;
  }

  private Path file(int java) {
    return image.resolve(engine + "-" + java + ".jsa");
  }

  boolean exists(int java) {
    return Files.exists(file(java));
  }

  /** The option of a run on the host that makes it; it counts when it is {@link #made}. */
  String making(int java) {
    return "-XX:ArchiveClassesAtExit=" + unfinished(java);
  }

  private Path unfinished(int java) {
    return image.resolve(file(java).getFileName() + ".new");
  }

  /** The run has ended well. */
  void made(int java) throws IOException {
    Files.move(unfinished(java), file(java));
  }

  /** The option of a guest's JVM, with a blank behind it; empty if it isn't there. */
  String using(int java) {
    return exists(java) ? "-XX:SharedArchiveFile=/app/" + file(java).getFileName() + " " : "";
  }

  /** The files that the guest needs. */
  List<Path> files(int java) {
    return exists(java) ? List.of(file(java)) : List.of();
  }
}
