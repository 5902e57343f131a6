// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has a tier file open around the store reads what was there until he closes it. */
final class OtherReadersTest {
  private static final int BYTES = 1 << 20;

  @AutoClose private final StoreFixture fixture = StoreFixture.made();
  private Path name;

  private void aSegmentInATier(final boolean mapped) throws IOException {
    fixture.mapped(mapped);
    name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
    assertThat(fixture.tierFiles()).hasSize(1);
  }

  private void deletedAndGivenBack() throws Exception {
    fixture.store().delete(name);
    givenBack();
  }

  private void givenBack() throws Exception {
    await("the file is given back", () -> fixture.tierFiles().isEmpty());
    final Counters counters = fixture.store().counters();
    await("counted", () -> counters.sum(Count.RECLAIMED_FILES) == 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamReadsADeletedSegmentToItsEnd(final boolean mapped) throws Exception {
    aSegmentInATier(mapped);
    try (InputStream stream = new FileInputStream(name.toFile())) {
      final byte[] first = stream.readNBytes(10);
      deletedAndGivenBack();
      assertThat(first).isEqualTo(Arrays.copyOf(bytes(BYTES, 1), 10));
      assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes(BYTES, 1), 10, BYTES));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAsynchronousChannelReadsAMovedSegment(final boolean mapped) throws Exception {
    aSegmentInATier(mapped);
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(name, StandardOpenOption.READ)) {
      fixture.store().migration(copied -> {}).move(name, null, false);
      givenBack();
      final ByteBuffer read = ByteBuffer.allocate(BYTES);
      while (read.hasRemaining() && channel.read(read, read.position()).get() >= 0) {}
      assertThat(read.array()).isEqualTo(bytes(BYTES, 1));
      assertThat(read.hasRemaining()).isFalse();
    }
  }
}
