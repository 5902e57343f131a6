// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is counted by topic, where that is switched on. */
class TopicCountersTest {
  private static final String KEY = "headpond.metrics.topics";

  private static FileChannel open(
      final StoreFixture fixture, final String partition, final long baseOffset)
      throws IOException {
    return fixture
        .store()
        .open(segment(fixture.partition(partition), baseOffset), StoreFixture.CREATE);
  }

  private static StoreFacts.Topic topic(final StoreFixture fixture, final String name)
      throws IOException {
    return fixture.store().facts().topics().stream()
        .filter(topic -> topic.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  @Test
  void eachTopicCountsItsBytesSegmentsAppendsAndReadsByTier() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with(KEY, "10");
        FileChannel first = open(fixture, "orders-0", 0);
        FileChannel other = open(fixture, "orders-7", 0);
        FileChannel clicks = open(fixture, "web.clicks-0", 0)) {
      append(first, bytes(1_000, 1));
      append(other, bytes(500, 2));
      append(clicks, bytes(300, 3));
      other.read(ByteBuffer.allocate(200), 0);
      try (FileChannel second = open(fixture, "orders-0", 100)) {
        append(second, bytes(50, 4));
        final StoreFacts.TopicPlace pmem = topic(fixture, "orders").places().get(0);
        assertThat(pmem.tier()).isEqualTo("pmem");
        assertThat(pmem.segments()).isEqualTo(3);
        assertThat(pmem.appendedBytes()).isEqualTo(1_550);
        assertThat(pmem.readBytes()).isEqualTo(200);
        assertThat(pmem.bytes())
            .as("with what active segments are grown ahead")
            .isBetween(1_550L, 1_550L + 2 * (1 << 20));
      }
      assertThat(topic(fixture, "orders").places().get(1))
          .isEqualTo(new StoreFacts.TopicPlace("home", 0, 0, 0, 0));
      assertThat(topic(fixture, "web.clicks").places().get(0).appendedBytes()).isEqualTo(300);
      assertThat(topic(fixture, StoreFacts.Topic.OTHERS).places().get(0).segments()).isZero();
    }
  }

  @Test
  void anOverflowIsItsTopicsOwn() throws Exception {
    try (StoreFixture fixture =
            new StoreFixture().with(KEY, "10").with("headpond.tier.pmem.capacity", "100KiB");
        FileChannel channel = open(fixture, "orders-0", 0)) {
      append(channel, bytes(100, 1));
      final StoreFacts.Topic orders = topic(fixture, "orders");
      assertThat(orders.overflowSegments()).isEqualTo(1);
      assertThat(orders.places().get(1))
          .isEqualTo(new StoreFacts.TopicPlace("home", 1, 100, 100, 0));
    }
  }

  @Test
  void topicsBeyondTheLimitAreCountedTogether() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with(KEY, "2")) {
      for (int i = 0; i < 5; i++) {
        final FileChannel channel = open(fixture, "topic" + i + "-0", 0);
        append(channel, bytes(100 + i, i));
      }
      assertThat(fixture.store().facts().topics())
          .extracting(StoreFacts.Topic::name)
          .containsExactly("topic0", "topic1", StoreFacts.Topic.OTHERS);
      final StoreFacts.TopicPlace others = topic(fixture, StoreFacts.Topic.OTHERS).places().get(0);
      assertThat(others.appendedBytes()).isEqualTo(102 + 103 + 104);
      assertThat(others.segments()).isEqualTo(3);
    }
  }

  @Test
  void aTopicThatIsGoneGivesItsPlaceUpAndItsCountsStay() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with(KEY, "1")) {
      final FileChannel old = open(fixture, "old-0", 0);
      append(old, bytes(100, 1));
      final FileChannel late = open(fixture, "late-0", 0);
      append(late, bytes(20, 2));
      assertThat(topic(fixture, "late")).isNull();
      old.close();
      assertThat(topic(fixture, "old").places().get(0).appendedBytes()).isEqualTo(100);
      final FileChannel next = open(fixture, "next-0", 0);
      append(next, bytes(3, 3));
      assertThat(topic(fixture, "old")).isNull();
      assertThat(topic(fixture, "next").places().get(0).appendedBytes()).isEqualTo(3);
      assertThat(topic(fixture, StoreFacts.Topic.OTHERS).places().get(0).appendedBytes())
          .isEqualTo(120);
    }
  }

  @Test
  void withoutTheKeyNothingIsCountedByTopic() throws Exception {
    try (StoreFixture fixture = new StoreFixture();
        FileChannel channel = open(fixture, "orders-0", 0)) {
      append(channel, bytes(100, 1));
      assertThat(fixture.store().facts().topics()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "orders-0,orders",
    "web-clicks-12,web-clicks",
    "orders-0.9f1c0a-delete,orders",
    "web.clicks-3.9f1c0a-future,web.clicks",
    "orders-0.9f1c0a-stray,orders",
    "__cluster_metadata-0,__cluster_metadata",
    "nothing,nothing"
  })
  void aPartitionDirectoryTellsItsTopic(final String partition, final String topic) {
    assertThat(SegmentName.topic(partition)).isEqualTo(topic);
  }

  @Test
  void aNameThatNoTopicCanHaveIsCountedWithTheOthers() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with(KEY, "10")) {
      final Path odd = fixture.partition("a=b c-0");
      try (FileChannel channel = fixture.store().open(segment(odd, 0), StoreFixture.CREATE)) {
        append(channel, bytes(10, 1));
        assertThat(fixture.store().facts().topics())
            .extracting(StoreFacts.Topic::name)
            .containsExactly(StoreFacts.Topic.OTHERS);
      }
    }
  }
}
