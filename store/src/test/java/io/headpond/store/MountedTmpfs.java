// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small tmpfs of its own, for devices that fill or fail. Needs root and the right to mount. */
public final class MountedTmpfs implements AutoCloseable {
  final Path path;

  /**
   * Mounts it.
   *
   * @param options as for {@code mount -o}: size=4m, nr_inodes=20
   */
  public MountedTmpfs(final String options) throws IOException {
    path = Files.createTempDirectory("headpond-mount").toRealPath();
    final String failure = run("mount", "-t", "tmpfs", "-o", options, "headpond", path.toString());
    if (failure != null) {
      Files.delete(path);
      throw new IOException(failure);
    }
  }

  /** Where it is mounted. */
  public Path path() {
    return path;
  }

  /** For {@code @EnabledIf}: may this process mount? */
  public static boolean allowed() {
    try (MountedTmpfs tried = new MountedTmpfs("size=1m")) {
      return Files.isDirectory(tried.path);
    } catch (final IOException e) {
      return false;
    }
  }

  /** A directory in which nobody, root included, can make or delete a name. */
  static final class Unwritable implements AutoCloseable {
    private final Path directory;
    private final boolean works;

    Unwritable(final Path directory) throws IOException {
      this.directory = directory;
      works = run("chattr", "+i", directory.toString()) == null;
    }

    /** False where the file system knows no such flag, or the process may not set it. */
    boolean works() {
      return works;
    }

    @Override
    public void close() throws IOException {
      if (works) {
        run("chattr", "-i", directory.toString());
      }
    }
  }

  @Override
  public void close() throws IOException {
    final String failure = run("umount", "-l", path.toString());
    if (failure != null) {
      throw new IOException(failure);
    }
    Files.delete(path);
  }

  /** What the command said if it failed, else null. */
  private static String run(final String... command) throws IOException {
    final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    final String said = new String(process.getInputStream().readAllBytes());
    try {
      return process.waitFor() == 0 ? null : String.join(" ", command) + ": " + said;
    } catch (final InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
