// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.spi.FileSystemProvider;

/**
 * Questions about files that may not be there.
 *
 * <p>Java 20 gave providers methods that answer without an exception. This is the form for older
 * versions; the jar's layer for Java 20 and later calls those methods.
 */
final class Existence {
  private Existence() {}

  static boolean exists(
      final FileSystemProvider provider, final Path path, final LinkOption... options) {
    try {
      if (options.length == 0) {
        provider.checkAccess(path);
      } else {
        provider.readAttributes(path, BasicFileAttributes.class, options);
      }
      return true;
    } catch (final IOException e) {
      return false;
    }
  }

  static <A extends BasicFileAttributes> A readAttributes(
      final FileSystemProvider provider,
      final Path path,
      final Class<A> type,
      final LinkOption... options)
      throws IOException {
    try {
      return provider.readAttributes(path, type, options);
    } catch (final NoSuchFileException e) {
      return null;
    }
  }
}
