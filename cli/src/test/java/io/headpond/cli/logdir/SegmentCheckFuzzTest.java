// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Tag;

/** Whatever a segment holds, the check of it ends, and what it calls valid is. */
@Tag("fuzz")
class SegmentCheckFuzzTest {
  @FuzzTest(maxDuration = "30s")
  void theCheckOfAnyBytesEnds(byte @NotNull [] bytes) throws IOException {
    SegmentCheck.Result result = check(bytes);
    assertThat(result.bytes()).isEqualTo(bytes.length);
    assertThat(result.tailPosition()).isBetween(0L, (long) bytes.length);
    assertThat(result.faults()).hasSizeLessThanOrEqualTo(SegmentCheck.FAULTS_MAX);
  }

  /** Offsets and the leader's epoch lie outside of what a batch's checksum covers. */
  @FuzzTest(maxDuration = "30s")
  void aChangedByteBehindTheChecksumIsNeverClean(int position, byte change) throws IOException {
    byte[] bytes = batch();
    int at = CHECKSUMMED_FROM + Math.floorMod(position, bytes.length - CHECKSUMMED_FROM);
    bytes[at] ^= change;
    assertThat(check(bytes).clean()).isEqualTo(change == 0);
  }

  /** The format's offset of the field {@code attributes}, the first that the CRC covers. */
  private static final int CHECKSUMMED_FROM = 21;

  private static byte[] batch() {
    ByteBuffer buffer =
        MemoryRecords.withRecords(
                Compression.NONE,
                new SimpleRecord(1_700_000_000_000L, "key".getBytes(), "value".getBytes()),
                new SimpleRecord(1_700_000_000_001L, "key".getBytes(), "other".getBytes()))
            .buffer();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static SegmentCheck.Result check(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("headpond-fuzz", ".log");
    try {
      Files.write(file, bytes);
      return SegmentCheck.run(file, 0);
    } finally {
      Files.delete(file);
    }
  }
}
