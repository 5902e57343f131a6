// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBatchesTest {
  private static final int HEADER_BYTES = 12;
  private static final int LARGER_THAN_THE_BUFFER = 700_000;

  @TempDir private Path logDir;
  private Path segment;

  @BeforeEach
  void makePartition() throws IOException {
    segment = Files.createDirectory(logDir.resolve("t-0")).resolve("00000000000000000000.log");
  }

  private static byte[] batch(final int payloadBytes) {
    final ByteBuffer batch = batch(49 + payloadBytes, 2);
    return signed(batch, 17, 21, new CRC32C());
  }

  private static byte[] message(final int format, final int payloadBytes) {
    final ByteBuffer message = batch(14 + 8 * format + payloadBytes, format);
    return signed(message, 12, 16, new CRC32());
  }

  private static ByteBuffer batch(final int length, final int format) {
    final byte[] bytes = new byte[HEADER_BYTES + length];
    new Random(length).nextBytes(bytes);
    return ByteBuffer.wrap(bytes).putInt(8, length).put(16, (byte) format);
  }

  private static byte[] signed(
      final ByteBuffer batch, final int at, final int from, final Checksum checksum) {
    checksum.update(batch.array(), from, batch.capacity() - from);
    return batch.putInt(at, (int) checksum.getValue()).array();
  }

  private long whole(final byte[]... parts) throws IOException {
    final ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (final byte[] part : parts) {
      all.write(part);
    }
    Files.write(segment, all.toByteArray());
    return new KafkaBatches().wholeBytes(segment, Long.MAX_VALUE);
  }

  @Test
  void batchesOfEachFormatAreRead() throws IOException {
    assertThat(whole()).isZero();
    assertThat(whole(batch(0), batch(1_000), batch(LARGER_THAN_THE_BUFFER), batch(3)))
        .isEqualTo(Files.size(segment));
    assertThat(whole(message(0, 0), message(1, 500), message(0, 7), batch(20)))
        .isEqualTo(Files.size(segment));
  }

  @Test
  void whatFollowsTheLastBatchIsNotWhole() throws IOException {
    final byte[] first = batch(100);
    final byte[] cut = Arrays.copyOf(batch(200), 150);
    assertThat(whole(first, new byte[4_096])).isEqualTo(first.length);
    assertThat(whole(first, cut)).isEqualTo(first.length);
    assertThat(whole(first, new byte[] {1, 2, 3})).isEqualTo(first.length);
  }

  @Test
  void noByteOfABatchCanChangeUnseen() throws IOException {
    final byte[] first = batch(40);
    final byte[] second = batch(60);
    for (int i = 0; i < second.length; i++) {
      // Kafka's checksum leaves the base offset and the leader's epoch out.
      if (i >= 8 && i < 12 || i >= 16) {
        final byte[] changed = second.clone();
        changed[i] ^= 0x10;
        assertThat(whole(first, changed, batch(5))).as("byte %d", i).isEqualTo(first.length);
      }
    }
  }

  @Test
  void kafkaRecoversUnlessItWasStoppedCleanly() throws IOException {
    assertThat(new KafkaBatches().recovers(logDir)).isTrue();
    Files.createFile(logDir.resolve(".kafka_cleanshutdown"));
    assertThat(new KafkaBatches().recovers(logDir)).isFalse();
  }

  @Test
  void whatBelongsToTheNextSegmentDoesNotCount() throws IOException {
    final byte[] first = ByteBuffer.wrap(batch(LARGER_THAN_THE_BUFFER)).putLong(0, 3).array();
    final byte[] second = ByteBuffer.wrap(batch(10)).putLong(0, 7).array();
    Files.write(segment, first);
    Files.write(segment, second, StandardOpenOption.APPEND);
    assertThat(new KafkaBatches().wholeBytes(segment, 8)).isEqualTo(first.length + second.length);
    assertThat(new KafkaBatches().wholeBytes(segment, 7)).isEqualTo(first.length);
    assertThat(new KafkaBatches().wholeBytes(segment, 3)).isZero();
  }
}
