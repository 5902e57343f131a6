// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.TieredStore;
import io.headpond.store.event.Incident;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser, of a real store. Runs if {@code -Dheadpond.test.chromium=FILE} names
 * a Chromium; leaves pictures of what it saw in {@code target/screenshots}.
 */
class LivePageTest {
  private static final String WAITS = "orders-0/0.log: its file is not there";

  @BeforeAll
  static void aBrowserIsNamed() throws IOException {
    Browser.assumeNamed();
  }

  private static ObservedStore observed() throws IOException {
    return new ObservedStore()
        .with("headpond.http.port", String.valueOf(Browser.freePort()))
        .with("headpond.metrics.topics", "10")
        .with("headpond.tier.pmem.capacity", "8MiB");
  }

  @Test
  void thePagesFiguresAreThoseOfTheMetricsAndAFullTierIsCalledFull() throws Exception {
    try (ObservedStore observed = observed();
        Observation observation = Observation.start(observed.store());
        FileChannel first = observed.append("orders-0", 0, 7 * ObservedStore.MIB);
        FileChannel second = observed.append("orders-0", 100, 2 * ObservedStore.MIB);
        FileChannel third = observed.append("orders-0", 200, 1_000);
        FileChannel other = observed.append("a.topic-with-a-rather-long-name-3", 0, 40_000)) {
      final String url = Browser.url(observation);
      final String dom = Browser.browse(url, "--dump-dom");
      final Map<String, Double> shown = Browser.shown(dom);
      assertThat(shown).hasSizeGreaterThanOrEqualTo(10);
      shown.remove("headpond_home_size_bytes"); // of all log directories together
      assertThat(Browser.scraped(url)).containsAllEntriesOf(shown);
      assertThat(dom)
          .contains(">live<", "no room for new segments: they go to home", "VOLATILE", "orders-0")
          .doesNotContain("NaN", "undefined", "Infinity");
      assertThat(List.of(first, second, third, other)).allMatch(FileChannel::isOpen);
      Browser.pictures(url, "full");
    }
  }

  @Test
  void theTierThatTakesAnothersOverflowIsNotCalledFull(@TempDir final Path slow) throws Exception {
    try (ObservedStore observed =
            observed()
                .with("headpond.tiers", "pmem,ssd")
                .with("headpond.tier.ssd.paths", slow.toString())
                .with("headpond.tier.ssd.capacity", "64MiB");
        Observation observation = Observation.start(observed.store());
        FileChannel first = observed.append("orders-0", 0, 7 * ObservedStore.MIB);
        FileChannel second = observed.append("orders-0", 100, 2 * ObservedStore.MIB);
        FileChannel third = observed.append("orders-0", 200, 1_000)) {
      final String dom = Browser.browse(Browser.url(observation), "--dump-dom");
      assertThat(dom)
          .contains("no room for new segments: they go to ssd")
          .doesNotContain("no room for new segments: they go to home");
      assertThat(List.of(first, second, third)).allMatch(FileChannel::isOpen);
    }
  }

  @Test
  void anotherStartWithOtherTiersIsAnotherPage() throws Exception {
    try (ObservedStore observed = observed()) {
      final TieredStore store = observed.store();
      final History before = new History(() -> called("zz9", store.facts()));
      final History after = new History(store::facts);
      before.look();
      after.look();
      final InetAddress here = InetAddress.getLoopbackAddress();
      final Pages former = Pages.of(Observation.of(before, store.config()), here);
      final Pages now = Pages.of(Observation.of(after, store.config()), here);
      final AtomicInteger looks = new AtomicInteger();
      try (HttpPort port =
          new HttpPort(
              here,
              0,
              request -> {
                final boolean look = request.path().equals("/api/status");
                return (look && looks.incrementAndGet() == 1 ? former : now).apply(request);
              },
              store.background())) {
        final String url = "http://127.0.0.1:" + port.address().getPort() + "/";
        final String dom = Browser.browse(url, "--dump-dom");
        assertThat(looks.get()).as("looks of the page").isGreaterThan(1);
        assertThat(dom).contains("Tier pmem").doesNotContain("zz9");
      }
    }
  }

  @Test
  void anEmptyTierIsCalledSteady() throws Exception {
    try (ObservedStore observed = observed().with("node.id", "7");
        Observation observation = Observation.start(observed.store())) {
      final String url = Browser.url(observation);
      assertThat(Browser.browse(url, "--dump-dom"))
          .contains("<title>broker 7 at 127.0.0.1:", "the dashed line is the threshold")
          .contains(">live<", "steady", "Nothing moves now.", "Nothing that needs an operator")
          .doesNotContain("NaN", "undefined", "Infinity");
      Browser.pictures(url, "empty");
    }
  }

  @Test
  void aMoveIsShownWhileItGoesOn() throws Exception {
    try (ObservedStore observed =
            observed()
                .with("headpond.tier.pmem.capacity", "64MiB")
                .with("headpond.tier.pmem.migrate.threshold", "0.2")
                .with("headpond.migrate.bytes.per.second", "1MiB");
        Observation observation = Observation.start(observed.store());
        FileChannel first = observed.append("orders-0", 0, 40 * ObservedStore.MIB);
        FileChannel second = observed.append("orders-0", 100, ObservedStore.MIB)) {
      final String url = Browser.url(observation);
      final String dom = Browser.browse(url, "--dump-dom");
      assertThat(dom)
          .contains("orders-0/00000000000000000000.log", "pmem \u2192 home", "1 under way")
          .contains("<small>1 segment under way</small>");
      assertThat(List.of(first, second)).allMatch(FileChannel::isOpen);
      Browser.pictures(url, "migrating");
    }
  }

  /** The store's own facts, but for a device that no test can break at will. */
  private static StoreFacts withADeadDevice(final StoreFacts facts) {
    return failed(facts, WAITS);
  }

  /** The store's own facts, but for a device that failed. */
  static StoreFacts failed(final StoreFacts facts, final String waits) {
    return with(facts.tiers().get(0).name(), 1, waits, facts);
  }

  /** What went elsewhere before the tier worked again hadn't done so for want of room. */
  @Test
  void aTierThatHadFailedIsNotCalledFull() throws Exception {
    try (ObservedStore observed = observed()) {
      final TieredStore store = observed.store();
      final History history = new History(() -> overflowed(store.facts()));
      history.look();
      final InetAddress here = InetAddress.getLoopbackAddress();
      final Pages pages = Pages.of(Observation.of(history, store.config()), here);
      try (HttpPort port = new HttpPort(here, 0, pages, store.background())) {
        final String url = "http://127.0.0.1:" + port.address().getPort() + "/";
        assertThat(Browser.browse(url, "--dump-dom"))
            .contains("tier pmem (/mnt/pmem) failed", "no room for it or had failed")
            .doesNotContain("no room for new segments");
      }
    }
  }

  private static StoreFacts overflowed(final StoreFacts facts) {
    final String what = "orders-0/0.log: created at home, because tier pmem (/mnt/pmem) failed";
    return new StoreFacts(
        facts.atMs(),
        facts.startedMs(),
        facts.tiers(),
        facts.homes(),
        facts.refusedHomes(),
        facts.home(),
        facts.appends(),
        facts.moves(),
        facts.recovery(),
        facts.background(),
        facts.counts(),
        facts.incidents(),
        List.of(new StoreFacts.Event(facts.atMs(), Incident.OVERFLOW, what)),
        facts.topics());
  }

  private static StoreFacts called(final String name, final StoreFacts facts) {
    return with(name, 0, "", facts);
  }

  /** The store's own facts, with another name of its tier. */
  private static StoreFacts with(
      final String name, final int failedDirectories, final String waits, final StoreFacts facts) {
    final StoreFacts.Tier tier = facts.tiers().get(0);
    final StoreFacts.Tier other =
        new StoreFacts.Tier(
            name,
            tier.type(),
            tier.backEnd(),
            tier.durability(),
            tier.durabilityReason(),
            tier.fileSystem(),
            tier.paths(),
            tier.usedBytes(),
            tier.segmentBytes(),
            tier.quarantinedBytes(),
            tier.capacityBytes(),
            tier.threshold(),
            tier.thresholdBytes(),
            failedDirectories,
            tier.standing(),
            waits,
            tier.lastDescentMs(),
            tier.contents());
    return new StoreFacts(
        facts.atMs(),
        facts.startedMs(),
        List.of(other),
        facts.homes(),
        facts.refusedHomes(),
        facts.home(),
        facts.appends(),
        facts.moves(),
        facts.recovery(),
        facts.background(),
        facts.counts(),
        facts.incidents(),
        facts.events(),
        facts.topics());
  }

  @Test
  void aTierWhoseDeviceFailedIsCalledFailed() throws Exception {
    try (ObservedStore observed = observed();
        FileChannel segment = observed.append("orders-0", 0, ObservedStore.MIB)) {
      final TieredStore store = observed.store();
      final History history = new History(() -> withADeadDevice(store.facts()));
      final InetAddress here = InetAddress.getLoopbackAddress();
      final Pages pages = Pages.of(Observation.of(history, store.config()), here);
      try (HttpPort port = new HttpPort(here, 0, pages, store.background())) {
        final String url = "http://127.0.0.1:" + port.address().getPort() + "/";
        history.look();
        final String dom = Browser.browse(url, "--dump-dom");
        assertThat(dom)
            .contains(
                "a directory FAILED",
                "FAILED: nothing new goes there; it waits: " + WAITS,
                "Not all of its segments leave it: " + WAITS,
                "the device of " + store.facts().tiers().get(0).paths().get(0) + " failed")
            .doesNotContain("NaN", "undefined", "Infinity")
            .doesNotContain(
                "class=\"badge "
                    + store.facts().tiers().get(0).durability().name().toLowerCase(Locale.ROOT));
        final Map<String, Double> shown = Browser.shown(dom);
        shown.remove("headpond_home_size_bytes"); // of all log directories together
        assertThat(Browser.scraped(url)).containsAllEntriesOf(shown);
        assertThat(segment.isOpen()).isTrue();
        Browser.pictures(url, "failed");
      }
    }
  }
}
