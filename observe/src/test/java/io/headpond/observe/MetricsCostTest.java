// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headpond.store.facts.Count;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What metrics may allocate; what they cost in time is measured by JMH, see docs/monitoring.md. */
class MetricsCostTest {
  private static final int APPENDS = 2_000;
  private static final int APPEND_BYTES = 64;
  private static final int ROUNDS_MAX = 200;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes on the heap for an append, in the best of rounds that end when it is so few. */
  private static double allocated(final FileChannel channel, final double enough)
      throws IOException {
    final ByteBuffer batch = ByteBuffer.allocateDirect(APPEND_BYTES);
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS_MAX && least > enough; round++) {
      final long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < APPENDS; i++) {
        channel.write(batch.clear());
      }
      final long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, bytes / (double) APPENDS);
    }
    return least;
  }

  @Test
  void anAppendCountedByTopicAllocatesNoMoreThanAPlainWrite(@TempDir final Path folder)
      throws Exception {
    final Path file = folder.resolve("plain.log");
    final double plain;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      plain = allocated(channel, 0);
    }
    try (ObservedStore observed = new ObservedStore().with("headpond.metrics.topics", "10");
        FileChannel channel = observed.append("orders-0", 0, APPEND_BYTES)) {
      assertThat(allocated(channel, plain + 0.1))
          .as("bytes for an append; a plain write allocates %s", plain)
          .isLessThanOrEqualTo(plain + 0.1);
      assertThat(observed.store().facts().count(Count.APPENDS)).isGreaterThan(APPENDS);
    }
  }
}
