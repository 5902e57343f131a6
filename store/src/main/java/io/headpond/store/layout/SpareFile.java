// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A tier file that is there before the segment that it will hold: empty, or, where each append is
 * durable, with its first bytes zero. No segment's name leads to it.
 */
public final class SpareFile {
  /** In place of a segment's name in its file's, while none is known. */
  public static final String NAME = "next";

  /** Zeros in it, at most. */
  public static final int ZERO_BYTES = 64 << 10;

  private SpareFile() {}

  /**
   * Is a tier file that no link names a spare, of which nothing is worth to be kept? One that has
   * just gone is, too.
   */
  public static boolean is(final Path file) throws IOException {
    try {
      final long bytes = Files.size(file);
      return bytes == 0 || named(file) && bytes <= ZERO_BYTES && zero(file, (int) bytes);
    } catch (final NoSuchFileException gone) {
      return true;
    }
  }

  private static boolean named(final Path file) {
    return file.getFileName().toString().contains("." + NAME + ".");
  }

  private static boolean zero(final Path file, final int bytes) throws IOException {
    final ByteBuffer content = ByteBuffer.allocate(bytes);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (content.hasRemaining() && channel.read(content, content.position()) >= 0) {
        // until all of it is read
      }
    }
    if (content.hasRemaining()) {
      return false; // somebody changes it
    }
    for (final byte each : content.array()) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }
}
