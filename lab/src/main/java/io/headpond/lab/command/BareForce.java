// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The least that a durable append costs on a disk: one {@code O_DSYNC} write into blocks that were
 * written before, so that data alone is forced. One thread.
 */
public final class BareForce {
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
  public static double micros(Path folder, int bytes) throws IOException, InterruptedException {
    int number = Math.max(WARM_UP, Math.min(APPENDS_MAX, BYTES_MAX / bytes));
    ByteBuffer source = AppendWay.source(bytes);
    Path place = Files.createTempDirectory(folder, "headpond-force");
    Path file = place.resolve("file");
    try (AppendWay.Appender appender = AppendWay.written(file, (long) (WARM_UP + number) * bytes)) {
      long begun = 0;
      for (int i = 0; i < WARM_UP + number; i++) {
        begun = i == WARM_UP ? System.nanoTime() : begun;
        appender.append(source.clear(), (long) i * bytes);
      }
      return (System.nanoTime() - begun) / 1e3 / number;
    } finally {
      Files.deleteIfExists(file);
      Files.delete(place);
    }
  }
}
