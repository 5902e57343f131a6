// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.pmem.UninterruptedForce;
import io.headpond.store.layout.DirectoryForce;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A trial of a tier directory's device: a file is written, forced, read again and deleted. It shows
 * that the device takes and forces writes now; nothing shows that it keeps them.
 */
public final class TierProbe {
  /** The trial's file; a crash leaves it, and the next trial overwrites it. */
  public static final String FILE_NAME = ".headpond-probe";

  /** Several requests of any disk. */
  private static final int BYTES = 1 << 20;

  private TierProbe() {}

  /**
   * Tries a directory. Waits for its device as long as that takes.
   *
   * @throws IOException if the device doesn't do what it must
   */
  static void run(final Path directory) throws IOException {
    final Path file = directory.resolve(FILE_NAME);
    final byte[] bytes = new byte[BYTES];
    new SplittableRandom().nextBytes(bytes);
    try {
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        final ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          channel.write(left);
        }
        UninterruptedForce.force(
            channel, () -> FileChannel.open(file, StandardOpenOption.WRITE), true);
      }
      DirectoryForce.forceNow(directory);
      if (!Arrays.equals(bytes, read(file))) {
        throw new IOException(file + ": other bytes are read than were written");
      }
    } finally {
      Files.deleteIfExists(file);
    }
    DirectoryForce.forceNow(directory);
  }

  private static byte[] read(final Path file) throws IOException {
    final ByteBuffer read = ByteBuffer.allocate(BYTES + 1);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(read) > 0) {}
    }
    return Arrays.copyOf(read.array(), read.position());
  }
}
