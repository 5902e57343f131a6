// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The files that this process has open in any way, by {@code /proc/self/fd}. A {@code
 * FileInputStream} or an asynchronous channel opens a tier file through its link without asking the
 * store. A mapping whose descriptor was closed isn't seen. Any thread.
 */
final class OpenFiles {
  private OpenFiles() {}

  /**
   * True if surely no descriptor of this process leads to the file. Where the kernel doesn't say,
   * it isn't sure. True stays true once no name leads to the file any more.
   */
  static boolean surelyWithout(final Path file) {
    try {
      final Path real = file.toRealPath();
      for (final Path descriptor : NameLook.list(file.getFileSystem().getPath("/proc/self/fd"))) {
        if (leadsTo(descriptor, real)) {
          return false;
        }
      }
      return true;
    } catch (final IOException unknown) {
      return false;
    }
  }

  private static boolean leadsTo(final Path descriptor, final Path file) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).equals(file);
    } catch (final NoSuchFileException closedMeanwhile) {
      return false;
    }
  }
}
