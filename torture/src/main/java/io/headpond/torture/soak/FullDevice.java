// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A device without a free byte, as long as this isn't closed. A file of somebody else fills it, so
 * the configuration still promises room.
 */
final class FullDevice implements AutoCloseable {
  private static final int BLOCK_BYTES = 1 << 16;

  private final Path filler;

  /**
   * Fills it.
   *
   * @param mount where it is mounted
   */
  FullDevice(Path mount) throws IOException {
    filler = mount.resolve("filler");
    try (FileChannel channel =
        FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
      while (Files.getFileStore(filler).getUsableSpace() > 0) {
        channel.write(block.clear());
      }
    } catch (IOException e) {
      if (Files.getFileStore(mount).getUsableSpace() > 0) {
        throw e;
      }
      // The engine was faster; full it is.
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(filler);
  }
}
