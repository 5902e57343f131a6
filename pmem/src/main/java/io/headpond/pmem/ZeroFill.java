// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Writes zeros into a file's blocks, before something else is written there.
 *
 * <p>It writes through the file, not through a mapping: it is work for the background, and a bad
 * page is then an error of one system call.
 */
public final class ZeroFill {
  /** Zeros that are forced at once where one slice is forced after the other. */
  public static final int SLICE_BYTES = BackingFile.FORCED_SLICE_BYTES;

  private ZeroFill() {}

  /**
   * Creates a file of zeros, and fsyncs it.
   *
   * @param stopped asked every MiB
   * @return false if it was stopped; the file is shorter then
   */
  static boolean create(Path file, long bytes, BooleanSupplier stopped) throws IOException {
    Files.createFile(file);
    try (BackingFile backing = new BackingFile(file, false)) {
      if (!backing.writeZeros(0, bytes, stopped::getAsBoolean)) {
        return false;
      }
      backing.force(true);
      return true;
    }
  }

  /**
   * Zeros a file from its first byte to its last beside another one that is fsynced often: one
   * slice after the other is fsynced, so that no other fsync waits for all of them.
   *
   * @param bytes the file's size; another one means that somebody still uses it
   * @param stopped asked before each of {@link #SLICE_BYTES}
   * @return false if it was stopped; the file is zeroed in part then
   */
  public static boolean overwriteSliced(Path file, long bytes, BooleanSupplier stopped)
      throws IOException {
    return overwrite(file, bytes, bytes, true, stopped);
  }

  /**
   * Zeros the file's first bytes, and forces it.
   *
   * @param bytes the file's size; another one means that somebody still uses it
   * @param first how many of them, at most {@code bytes}
   */
  public static void begin(Path file, long bytes, long first) throws IOException {
    overwrite(file, bytes, first, false, () -> false);
  }

  /**
   * Gives an empty file its first bytes, zeros, and forces them: what is written there later
   * allocates no block and makes the file no longer.
   */
  public static void extend(Path file, long bytes) throws IOException {
    try (BackingFile backing = new BackingFile(file, true)) {
      checkSize(backing, 0);
      backing.writeZeros(0, bytes, StopSignal.NEVER);
    }
  }

  private static boolean overwrite(
      Path file, long bytes, long to, boolean sliced, BooleanSupplier stopped) throws IOException {
    try (BackingFile backing = new BackingFile(file, sliced)) {
      checkSize(backing, bytes);
      if (!backing.writeZeros(0, to, stopped::getAsBoolean)) {
        return false;
      }
      backing.force(true);
      checkSize(backing, bytes);
      return true;
    }
  }

  private static void checkSize(BackingFile file, long bytes) throws IOException {
    if (file.size() != bytes) {
      throw new IOException(
          file.path()
              + ": is "
              + file.size()
              + " bytes long instead of "
              + bytes
              + ": still in use?");
    }
  }
}
