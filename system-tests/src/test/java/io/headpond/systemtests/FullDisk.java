// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another program that takes all room of a file system. */
public final class FullDisk {
  private static final int BYTES_MAX = 1 << 20;
  private static final int BYTES_MIN = 4096;

  private FullDisk() {}

  /** Writes until not a page is left, as a program does that isn't told before. */
  public static void fill(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int bytes = BYTES_MAX; bytes >= BYTES_MIN; bytes /= 2) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        try {
          while (true) {
            channel.write(buffer.clear());
          }
        } catch (IOException full) {
          continue; // with less at a time
        }
      }
    }
  }
}
