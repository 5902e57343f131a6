// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import jdk.nio.mapmode.ExtendedMapMode;

/** Tries whether files of a directory can be mapped with {@code MAP_SYNC}: the proof of DAX. */
class SyncMapProbe {
  private static final int PROBE_BYTES = 4096;

  private String refusal = "";

  /** Why the last probe said no. */
  String lastRefusal() {
    return refusal;
  }

  boolean succeeds(Path directory) {
    Path file = directory.resolve(".headpond-probe-" + UUID.randomUUID());
    try {
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(PROBE_BYTES), 0);
        channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBE_BYTES);
        return true;
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UnsupportedOperationException | InternalError | LinkageError e) {
      refusal = "MAP_SYNC: " + e.getMessage();
      return false;
    }
  }
}
