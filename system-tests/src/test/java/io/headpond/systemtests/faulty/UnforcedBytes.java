// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What of one file was written since it was last forced, and what of it a force that failed has
 * lost for good: Linux takes such pages for clean, so that the next force succeeds without them.
 * Several threads.
 */
final class UnforcedBytes {

  /** From {@code from} on, and before {@code end}. */
  private record Range(long from, long end) {}

  private static final int CHUNK_BYTES = 64 << 10;

  private final List<Range> written = new ArrayList<>();
  private final List<Range> lost = new ArrayList<>();

  synchronized void written(long from, long bytes) {
    long end = from + bytes;
    Range last = written.isEmpty() ? null : written.get(written.size() - 1);
    if (last != null && last.end == from) {
      written.set(written.size() - 1, new Range(last.from, end));
    } else {
      written.add(new Range(from, end));
    }
    without(lost, from, end);
  }

  synchronized void truncated(long length) {
    without(written, length, Long.MAX_VALUE);
    without(lost, length, Long.MAX_VALUE);
  }

  synchronized void forced() {
    written.clear();
  }

  synchronized void lost() {
    lost.addAll(written);
    written.clear();
  }

  private static void without(List<Range> ranges, long from, long end) {
    for (Range range : List.copyOf(ranges)) {
      if (range.from < end && from < range.end) {
        ranges.remove(range);
        if (range.from < from) {
          ranges.add(new Range(range.from, from));
        }
        if (end < range.end) {
          ranges.add(new Range(end, range.end));
        }
      }
    }
  }

  /**
   * What a power cut shows of it: zeros for what was lost.
   *
   * @param file as it is called now
   * @return the number of bytes that were lost
   */
  synchronized long cutPower(Path file) throws IOException {
    long bytes = 0;
    if (!lost.isEmpty()) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        for (Range range : lost) {
          bytes += zero(channel, range);
        }
      }
    }
    written.clear();
    lost.clear();
    return bytes;
  }

  private static long zero(FileChannel channel, Range range) throws IOException {
    long end = Math.min(range.end, channel.size());
    for (long at = range.from; at < end; ) {
      int bytes = (int) Math.min(CHUNK_BYTES, end - at);
      at += channel.write(ByteBuffer.allocate(bytes), at);
    }
    return Math.max(0, end - range.from);
  }
}
