// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.spi.FileSystemProvider;

/** Questions about files that may not be there, asked without an exception (Java 20). */
final class Existence {
  private Existence() {}

  static boolean exists(
      final FileSystemProvider provider, final Path path, final LinkOption... options) {
    return provider.exists(path, options);
  }

  static <A extends BasicFileAttributes> A readAttributes(
      final FileSystemProvider provider,
      final Path path,
      final Class<A> type,
      final LinkOption... options)
      throws IOException {
    return provider.readAttributesIfExists(path, type, options);
  }
}
