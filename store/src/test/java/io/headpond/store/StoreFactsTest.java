// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.Incident;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What metrics, beans and the page are made from. */
class StoreFactsTest {
  private static final int APPENDS = 1_600;

  @Test
  void appendsAndReadsAreCountedAndOneInSixteenIsTimed() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final TieredStore store = fixture.store();
      final Path partition = fixture.partition("orders-0");
      try (FileChannel channel = store.open(segment(partition, 0), StoreFixture.CREATE)) {
        for (int i = 0; i < APPENDS; i++) {
          append(channel, bytes(100, i));
        }
        channel.read(ByteBuffer.allocate(1_000), 0);
        final StoreFacts facts = store.facts();
        assertThat(facts.count(Count.APPENDS)).isEqualTo(APPENDS);
        assertThat(facts.appendedBytes()).isEqualTo(APPENDS * 100);
        assertThat(Arrays.stream(facts.appends().sampledNanos()).sum())
            .isEqualTo(APPENDS / StoreFacts.Appends.SAMPLE);
        final StoreFacts.Tier tier = facts.tiers().get(0);
        assertThat(tier.contents()).isEqualTo(new StoreFacts.Contents(0, 1, APPENDS * 100, 1_000));
        assertThat(facts.home()).isEqualTo(new StoreFacts.Contents(0, 0, 0, 0));
        assertThat(facts.homes())
            .singleElement()
            .satisfies(home -> assertThat(home.freeBytes()).isPositive());
      }
    }
  }

  @Test
  void anOverflowIsCounted() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with("headpond.tier.pmem.capacity", "100KiB")) {
      final Path name = segment(fixture.partition("orders-0"), 0);
      try (FileChannel channel = fixture.store().open(name, StoreFixture.CREATE)) {
        append(channel, bytes(100, 1));
        final StoreFacts facts = fixture.store().facts();
        assertThat(facts.incidents()).containsEntry(Incident.OVERFLOW, 1L);
        assertThat(facts.home().appendedBytes()).isEqualTo(100);
      }
    }
  }

  @Test
  void onlyTheOwnerKnows() throws Exception {
    try (StoreFixture fixture = new StoreFixture();
        TieredStore store = new TieredStore(fixture.config())) {
      assertThatThrownBy(store::facts).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void everyTimeHasABucketThatHoldsIt() {
    for (long nanos = 1; nanos < 1L << 40; nanos += Math.max(1, nanos / 50)) {
      final int bucket = LatencyHistogram.bucket(nanos);
      assertThat(bucket).isBetween(0, LatencyHistogram.BUCKETS - 1);
      if (nanos >= 64 && bucket < LatencyHistogram.BUCKETS - 1) {
        assertThat((double) nanos).isLessThan(LatencyHistogram.endNanos(bucket));
        assertThat((double) nanos)
            .isGreaterThanOrEqualTo(bucket == 0 ? 64 : LatencyHistogram.endNanos(bucket - 1));
      }
    }
    assertThat(LatencyHistogram.endNanos(7)).isEqualTo(128);
  }
}
