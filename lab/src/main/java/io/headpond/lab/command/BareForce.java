// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * The least that a durable append costs on a disk: one {@code O_DSYNC} write into blocks that were
 * written before, so that data alone is forced. One thread.
 */
final class BareForce {
  private static final int WARM_UP = 100;
  private static final int APPENDS_MAX = 1_000;
  private static final int BYTES_MAX = 64 << 20;

  private BareForce() {}

  /**
   * Measures it on a file that is removed afterwards.
   *
   * @param folder on the disk
   * @param bytes of an append
   * @return the mean time of one append, microseconds
   */
  static double micros(Path folder, int bytes) throws IOException {
    int number = Math.max(WARM_UP, Math.min(APPENDS_MAX, BYTES_MAX / bytes));
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    ByteBuffer source = ByteBuffer.allocateDirect(bytes).put(random);
    Path place = Files.createTempDirectory(folder, "headpond-force");
    Path file = Files.createFile(place.resolve("file"));
    try {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        appends(channel, source, WARM_UP + number);
        channel.force(true);
      }
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
        appends(channel, source, WARM_UP);
        long begun = System.nanoTime();
        appends(channel, source, number);
        return (System.nanoTime() - begun) / 1e3 / number;
      }
    } finally {
      Files.delete(file);
      Files.delete(place);
    }
  }

  private static void appends(FileChannel channel, ByteBuffer source, int number)
      throws IOException {
    for (int i = 0; i < number; i++) {
      source.clear();
      while (source.hasRemaining()) {
        channel.write(source);
      }
    }
  }
}
