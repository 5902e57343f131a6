// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Overwrites a file with zeros, for another use of its blocks.
 *
 * <p>It writes through the file, not through a mapping: it is work for the background, and a bad
 * page is then an error of one system call.
 */
public final class ZeroFill {
  private ZeroFill() {}

  /**
   * Zeros the file from its first byte to its last, and forces it.
   *
   * @param bytes the file's size; another one means that somebody still uses it
   * @param stopped asked every MiB
   * @return false if it was stopped; the file is zeroed in part then
   */
  public static boolean overwrite(Path file, long bytes, BooleanSupplier stopped)
      throws IOException {
    return overwrite(file, bytes, bytes, stopped);
  }

  /**
   * Zeros the file's first bytes, and forces it.
   *
   * @param bytes the file's size; another one means that somebody still uses it
   * @param first how many of them, at most {@code bytes}
   */
  public static void begin(Path file, long bytes, long first) throws IOException {
    overwrite(file, bytes, first, () -> false);
  }

  private static boolean overwrite(Path file, long bytes, long to, BooleanSupplier stopped)
      throws IOException {
    try (BackingFile backing = new BackingFile(file, false)) {
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
