// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Temporary folders on a file system of choice. */
final class Folders {
  private Folders() {}

  /** On tmpfs. */
  static Path inMemory() throws IOException {
    return Files.createTempDirectory(Path.of("/dev/shm"), "headpond-pmem-");
  }

  /** In the build folder: an ordinary file system as a rule. */
  static Path onDisk() throws IOException {
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    return Files.createTempDirectory(target, "headpond-pmem-");
  }

  static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
