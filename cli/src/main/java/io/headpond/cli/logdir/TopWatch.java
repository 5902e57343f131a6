// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at the topics again and again. */
final class TopWatch {
  /** The owner publishes once a second; an idle one looks unchanged for a second and a half. */
  private static final long PUBLISHED_WITHIN_NANOS = Duration.ofMillis(3_000).toNanos();

  /**
   * One look; for JSON.
   *
   * @param pid the owner's; null if none ever published anything
   * @param windowMs the time that the rates are over; 0 if there are none
   * @param counted does the owner count by topic? If not, rates and overflow are null
   * @param hint what to do to have them; null if they are there
   */
  record LookJson(
      long atMs,
      boolean running,
      Long pid,
      long windowMs,
      boolean counted,
      String hint,
      List<TopicUse> topics) {}

  private final StatusReport report;
  private final TopTable table;
  private final LiveRates rates = new LiveRates();

  TopWatch(StatusReport report, TopTable table) {
    this.report = report;
    this.table = table;
  }

  /** As {@link Watch#repeat}. */
  void run(Duration interval, long count) throws IOException, InterruptedException {
    Watch.repeat(
        interval,
        count,
        () -> {
          table.clearScreen();
          table.print(look());
        });
  }

  /** Shows one table, with rates as far as there are some to wait for. */
  void once(Duration interval) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PUBLISHED_WITHIN_NANOS + interval.toNanos();
    LookJson look = look();
    while (look.counted()
        && look.running()
        && rates.time().compareTo(interval) < 0
        && System.nanoTime() < deadline) {
      Thread.sleep(interval.toMillis());
      look = look();
    }
    table.print(look);
  }

  private LookJson look() throws IOException {
    long nowMs = System.currentTimeMillis();
    Optional<OwnerCounters> found = report.counters();
    boolean running = report.ownerRuns();
    List<String> tiers = new ArrayList<>(report.tierNames());
    tiers.add(TopicMove.HOME);
    if (found.isEmpty() || !running) {
      rates.clear(); // what it did last isn't what happens now
      return scanned(nowMs, running, found, tiers);
    }
    rates.add(nowMs, found.get());
    List<TopicUse> topics = TopicUse.published(found.get(), rates, tiers);
    return topics.isEmpty()
        ? scanned(nowMs, true, found, tiers)
        : new LookJson(
            nowMs, true, found.get().get("pid"), rates.time().toMillis(), true, null, topics);
  }

  private LookJson scanned(
      long nowMs, boolean running, Optional<OwnerCounters> owner, List<String> tiers)
      throws IOException {
    String file = owner.map(counters -> counters.text("configuration")).orElse("");
    String hint =
        running
            ? "appends, reads and overflow aren't counted by topic: set headpond.metrics.topics=50 in "
                + (file.isEmpty() ? "the broker's configuration" : file)
                + " and restart the broker"
            : "no broker runs here: appends, reads and overflow are known beside a running one only";
    return new LookJson(
        nowMs,
        running,
        owner.isEmpty() ? null : owner.get().get("pid"),
        0,
        false,
        hint,
        TopicUse.scanned(report.logDirs(), tiers));
  }
}
