// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Removes the folders that a demo or a benchmark made, beside processes that are still ending. */
public final class FolderRemoval {
  private FolderRemoval() {}

  /**
   * Removes what is in a folder. What vanishes meanwhile is fine; links aren't followed.
   *
   * @param itself the folder too
   */
  public static void remove(Path root, boolean itself) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
            if (itself || !folder.equals(root)) {
              Files.deleteIfExists(folder);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
