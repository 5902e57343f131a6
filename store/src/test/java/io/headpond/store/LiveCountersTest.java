// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What an operator's tool reads beside a running engine. */
class LiveCountersTest {
  private static Properties published(final StoreFixture fixture) throws Exception {
    return load(fixture.tier.resolve(LiveCounters.FILE_NAME));
  }

  private static Properties load(final Path file) throws Exception {
    final Properties live = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      live.load(in);
    }
    return live;
  }

  @Test
  void aTiersThresholdAndSegmentsAndAHomesReserveArePublished() throws Exception {
    try (StoreFixture fixture =
        new StoreFixture()
            .with("headpond.tier.pmem.migrate.threshold", "0.25")
            .with("headpond.home.reserve", "1MiB")) {
      final Path partition = fixture.partition("orders-0");
      try (FileChannel channel = fixture.store().open(segment(partition, 0), StoreFixture.CREATE)) {
        append(channel, bytes(100_000, 1));
      }
      fixture.stop();
      final Properties live = published(fixture);
      assertThat(live.getProperty("tier.pmem.threshold")).isEqualTo("0.25");
      assertThat(live.getProperty("tier.pmem.threshold.bytes"))
          .isEqualTo(String.valueOf(16L << 20));
      assertThat(live.getProperty("tier.pmem.failed.directories")).isEqualTo("0");
      assertThat(Long.parseLong(live.getProperty("tier.pmem.segment.bytes")))
          .isEqualTo(Files.size(segment(partition, 0)))
          .isGreaterThanOrEqualTo(100_000);
      final String home =
          "home." + HomeIdentity.read(fixture.home.toRealPath()).orElseThrow().id() + ".";
      assertThat(live.getProperty(home + "reserve.bytes")).isEqualTo(String.valueOf(1L << 20));
      assertThat(live.getProperty(home + "reserve.touched")).isEqualTo("false");
    }
  }

  @Test
  void whatIsCountedByTopicIsPublishedALineForEachPlace() throws Exception {
    try (StoreFixture fixture = new StoreFixture().with("headpond.metrics.topics", "5")) {
      final Path partition = fixture.partition("orders-0");
      try (FileChannel channel = fixture.store().open(segment(partition, 0), StoreFixture.CREATE)) {
        append(channel, bytes(1_000, 1));
      }
      fixture.stop();
      final Properties live = published(fixture);
      assertThat(live.getProperty("topic.orders")).isEqualTo("0");
      assertThat(live.getProperty("topic.orders/pmem")).isEqualTo("1 1000 1000 0");
      assertThat(live.getProperty("topic.orders/home")).isEqualTo("0 0 0 0");
      assertThat(live.getProperty("topic.(other)/pmem")).isEqualTo("0 0 0 0");
    }
  }

  @Test
  void aTierThatMigrationLeavesAloneHasNoThresholdInBytes() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      fixture.store();
      fixture.stop();
      final Properties live = published(fixture);
      assertThat(Double.parseDouble(live.getProperty("tier.pmem.threshold"))).isEqualTo(-1);
      assertThat(live.getProperty("tier.pmem.threshold.bytes")).isEqualTo("-1");
    }
  }

  @Test
  void whileTheFirstTierHasFailedTheyAreAtHome() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      fixture.store().tiers().get(0).get(0).fail(new IOException("EIO"));
      fixture.stop();
      final Path atHome = fixture.home.resolve(LiveCounters.FILE_NAME);
      assertThat(atHome).content().contains("tier.pmem.failed.directories=1");
      fixture.store();
      fixture.stop();
      assertThat(published(fixture).getProperty("tier.pmem.failed.directories")).isEqualTo("0");
      assertThat(atHome).as("that of the start before").doesNotExist();
    }
  }

  @Test
  void afterAClockWasSetBackTheSequenceStillGrows() throws Exception {
    final AtomicLong setBackMs = new AtomicLong();
    final TimeSource clock =
        new TimeSource() {
          @Override
          public long nanos() {
            return SYSTEM.nanos();
          }

          @Override
          public long millis() {
            return SYSTEM.millis() - setBackMs.get();
          }
        };
    try (StoreFixture fixture = new StoreFixture().time(clock)) {
      fixture.store();
      fixture.stop();
      final Properties before = published(fixture);
      setBackMs.set(Duration.ofHours(1).toMillis());
      fixture.store().tiers().get(0).get(0).fail(new IOException("EIO"));
      fixture.stop();
      final Properties after = load(fixture.home.resolve(LiveCounters.FILE_NAME));
      assertThat(number(after, "updated.ms")).isLessThan(number(before, "updated.ms"));
      assertThat(number(after, "sequence"))
          .isGreaterThan(number(before, "sequence"))
          .as("what stays in the failed tier")
          .isGreaterThan(number(published(fixture), "sequence"));
    }
  }

  private static long number(final Properties live, final String key) {
    return Long.parseLong(live.getProperty(key));
  }

  /** As a mount point from which the device was taken: what lies there is another's. */
  @Test
  void inADirectoryThatIsNotTheTierAnyMoreNothingIsWritten() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final Path name = segment(fixture.partition("orders-0"), 0);
      final Path away = Path.of(fixture.tier + ".away");
      try (FileChannel channel = fixture.store().open(name, StoreFixture.CREATE)) {
        append(channel, bytes(1_000, 1));
        Files.move(fixture.tier, away);
        Files.createDirectory(fixture.tier);
        append(channel, bytes(1_000, 2));
        fixture.stop();
        assertThat(fixture.tier).isEmptyDirectory();
        Files.delete(fixture.tier);
        Files.move(away, fixture.tier);
      }
      assertThat(fixture.home.resolve(LiveCounters.FILE_NAME))
          .content()
          .contains("tier.pmem.appended.bytes=2000");
    }
  }
}
