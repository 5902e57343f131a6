// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The newest record's time out of the {@code .timeindex} beside a Kafka segment: entries of 12
 * bytes, a big-endian timestamp in milliseconds and an offset relative to the segment's ({@code
 * org.apache.kafka.storage.internals.log.TimeIndex}). At the roll Kafka adds the largest timestamp
 * as the last entry and cuts the file to its entries; until then zeros follow them.
 */
public final class KafkaTimeIndex {
  private static final String LOG = ".log";
  private static final String TIME_INDEX = ".timeindex";
  private static final int ENTRY_BYTES = 12;

  private KafkaTimeIndex() {}

  /**
   * The largest timestamp in the index of a sealed segment.
   *
   * @param segment its name, which ends with {@code .log}
   * @return milliseconds since 1970; 0 if there is no index, or nothing in its last entry
   */
  public static long newestMs(final Path segment) throws IOException {
    final String fileName = segment.getFileName().toString();
    final Path index =
        segment.resolveSibling(
            fileName.substring(0, fileName.length() - LOG.length()) + TIME_INDEX);
    try (FileChannel channel = FileChannel.open(index, StandardOpenOption.READ)) {
      final long entries = channel.size() / ENTRY_BYTES;
      final ByteBuffer timestamp = ByteBuffer.allocate(Long.BYTES);
      while (entries > 0
          && timestamp.hasRemaining()
          && channel.read(timestamp, (entries - 1) * ENTRY_BYTES + timestamp.position()) > 0) {}
      return timestamp.hasRemaining() ? 0 : timestamp.getLong(0);
    } catch (final NoSuchFileException none) {
      return 0;
    }
  }
}
