// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The folders of one test: on disk below {@code target}, and, for tiers, in the folder of {@code
 * -Dheadpond.test.tiers=DIR}, else in memory where {@code /dev/shm} is there. They are removed at
 * the end unless {@code -Dheadpond.test.keep=true}.
 */
public final class Workspace implements AutoCloseable {

  private static final boolean KEEP = Boolean.getBoolean("headpond.test.keep");

  private final Path disk;
  private final Path tiers;

  private Workspace(Path disk, Path tiers) {
    this.disk = disk;
    this.tiers = tiers;
  }

  public static Workspace create(String name) throws IOException {
    String named = System.getProperty("headpond.test.tiers");
    Path memory = Path.of("/dev/shm");
    return create(
        name, named != null ? Path.of(named) : Files.isWritable(memory) ? memory : root());
  }

  /**
   * One whose tiers are elsewhere.
   *
   * @param tiers parent of the folder that holds them
   */
  public static Workspace create(String name, Path tiers) throws IOException {
    Path disk = Files.createTempDirectory(root(), name + "-").toAbsolutePath();
    return new Workspace(disk, Files.createTempDirectory(tiers, "headpond-" + name + "-"));
  }

  private static Path root() throws IOException {
    return Files.createDirectories(
        Path.of(System.getProperty("headpond.test.folder", "target/brokers")));
  }

  /** Its root on disk. */
  public Path disk() {
    return disk;
  }

  /** A new folder on disk. */
  public Path folder(String name) throws IOException {
    return Files.createDirectories(disk.resolve(name));
  }

  /** A new folder for a tier, where the tiers are. */
  public Path tier(String name) throws IOException {
    return Files.createDirectories(tiers.resolve(name));
  }

  @Override
  public void close() throws IOException {
    if (!KEEP) {
      for (Path root : new ArrayList<>(List.of(disk, tiers))) {
        delete(root);
      }
    }
  }

  /** Never follows links. */
  public static void delete(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException error)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
