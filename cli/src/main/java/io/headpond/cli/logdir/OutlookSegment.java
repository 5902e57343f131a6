// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Candidate;
import io.headpond.store.migrate.MigrationPolicy;
import io.headpond.store.migrate.RankedSegment;
import io.headpond.store.migrate.SegmentFacts;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A segment that migration knows, ranked by the configured policy as the broker's start ranks it:
 * by length and last append, since only a running broker knows reads.
 */
final class OutlookSegment implements RankedSegment<Path>, Candidate<Path> {
  private final MigrationPolicy policy;
  private final long halfLifeMs;
  private final LogDirScan.Entry entry;
  private final boolean homeOnly;
  private final boolean active;
  private final boolean existing;
  private Path directory;
  private long lastAppendMs;
  private OptionalLong newestMs = OptionalLong.empty();
  private double rank;

  /**
   * A segment as it was found.
   *
   * @param policy guarded
   * @param homeOnly does its topic stay home?
   * @param existing was it written before Headpond came, and does that count?
   * @param directory where it lies; null: at home
   */
  OutlookSegment(
      MigrationPolicy policy,
      long halfLifeMs,
      LogDirScan.Entry entry,
      boolean homeOnly,
      boolean active,
      boolean existing,
      Path directory) {
    this.policy = policy;
    this.halfLifeMs = halfLifeMs;
    this.entry = entry;
    this.homeOnly = homeOnly;
    this.active = active;
    this.existing = existing;
    this.directory = directory;
    appended(entry.modifiedMs());
  }

  /** Counts as appended at that time, milliseconds since 1970. Not while it is in an order. */
  void appended(long ms) {
    lastAppendMs = ms;
    rank = homeOnly ? MigrationPolicy.NEVER_UP : policy.rank(facts());
  }

  /** Lies elsewhere from now on; null: at home. Not while it is in an order. */
  void moved(Path to) {
    directory = to;
  }

  /** Its newest record is of that time, milliseconds since 1970; 0 or less: nobody knows. */
  void dated(long ms) {
    newestMs = OptionalLong.of(ms);
  }

  private SegmentFacts facts() {
    return new SegmentFacts(
        SegmentName.topic(entry.partition()),
        entry.partition(),
        SegmentName.baseOffset(fileName()),
        entry.bytes(),
        lastAppendMs,
        Double.NEGATIVE_INFINITY,
        halfLifeMs);
  }

  LogDirScan.Entry entry() {
    return entry;
  }

  boolean homeOnly() {
    return homeOnly;
  }

  @Override
  public Path partition() {
    return entry.name().getParent();
  }

  @Override
  public String fileName() {
    return entry.name().getFileName().toString();
  }

  @Override
  public Path home() {
    return partition().getParent();
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public long bytes() {
    return entry.bytes();
  }

  @Override
  public boolean active() {
    return active;
  }

  @Override
  public boolean existing() {
    return existing;
  }

  @Override
  public double rank() {
    return rank;
  }

  @Override
  public long downAtMs() {
    return policy.downAtMs(facts());
  }

  @Override
  public long lastAppendMs() {
    return lastAppendMs;
  }

  @Override
  public OptionalLong newestMs() {
    return newestMs;
  }
}
