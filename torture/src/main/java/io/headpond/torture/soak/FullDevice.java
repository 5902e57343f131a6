// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
  FullDevice(Path mount) throws IOException, InterruptedException {
    filler = mount.resolve("filler");
    allocate(Math.max(1, Files.getFileStore(mount).getUsableSpace()));
    fill(mount);
  }

  /** At once, as far as it goes: the engine takes its part meanwhile. */
  private void allocate(long bytes) throws IOException, InterruptedException {
    Process fallocate =
        new ProcessBuilder(
                List.of("fallocate", "--length", Long.toString(bytes), filler.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!fallocate.waitFor(1, TimeUnit.MINUTES)) {
      fallocate.destroyForcibly();
      throw new IOException("fallocate took more than a minute for " + filler);
    }
  }

  private void fill(Path mount) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            filler,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
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
