// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Age;
import io.headpond.store.migrate.ForwardDecay;
import io.headpond.store.migrate.RankedSegment;
import io.headpond.store.migrate.SegmentFacts;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * One segment of a log, as the {@link Catalogue} knows it. Guarded by the catalogue's monitor, and
 * in none of its orders while its rank, its place or its name changes.
 */
final class CatalogueEntry implements RankedSegment<TierDirectory> {
  /** A read within this time of a segment's seal belongs to a consumer at the log's end. */
  private static final long TAIL_MS = 5_000;

  /** So long after a read behind a log's end its segments count as read. */
  private static final long BEHIND_MS = 60_000;

  private static final int DOUBLINGS_MAX = 5;

  private Path partition;
  private final String fileName;

  /** Null at home. */
  private TierDirectory directory;

  private long bytes;
  private long lastAppendMs;

  /** The time of its newest record: 0 or less if nobody knows; empty if it wasn't looked up. */
  private OptionalLong newestMs = OptionalLong.empty();

  private double readBytesLog2 = Double.NEGATIVE_INFINITY;

  /** When its successor came; 0: it was found sealed. */
  private long sealedMs;

  /** When it was last read by somebody who is behind the log's end; 0: not yet. */
  private long readBehindMs;

  private double rank;
  private boolean active;
  private boolean existing;
  private boolean moving;
  private long notBeforeNanos;
  private int failures;

  /** Why it couldn't be moved from where it lies; null: nobody tried, or not in vain. */
  private String stuck;

  CatalogueEntry(final Path partition, final String fileName) {
    this.partition = partition;
    this.fileName = fileName;
  }

  /** It was created or found. */
  void found(
      final TierDirectory in,
      final long length,
      final long appendedMs,
      final boolean isActive,
      final boolean wasExisting) {
    directory = in;
    bytes = length;
    lastAppendMs = appendedMs;
    active = isActive;
    existing = wasExisting;
  }

  /** Its successor came. */
  void sealed(final long nowMs) {
    active = false;
    sealedMs = nowMs;
  }

  /** It is appended to again. */
  void grows() {
    active = true;
    newestMs = OptionalLong.empty();
  }

  /** It has another length. */
  void sized(final long length) {
    bytes = length;
  }

  /** It was appended to. */
  void appended(final long ms) {
    lastAppendMs = ms;
    existing = false; // by whatever age of data the append counts
    newestMs = OptionalLong.empty();
  }

  /** It lies elsewhere now. */
  void moved(final TierDirectory to) {
    directory = to;
    failures = 0;
    stuck = null;
  }

  /** Its partition directory has another name. */
  void renamed(final Path to) {
    partition = to;
  }

  /** So many bytes of it were read. */
  void read(final long count, final long nowMs, final long halfLifeMs) {
    final double now = ForwardDecay.log2(count) + (double) nowMs / halfLifeMs;
    readBytesLog2 = ForwardDecay.add(now, readBytesLog2);
    if (!active && Math.abs(nowMs - sealedMs) > TAIL_MS) {
      readBehindMs = nowMs;
    }
  }

  /** True if somebody has lately read it who is behind the log's end. */
  boolean readBehind(final long nowMs) {
    return Math.abs(nowMs - readBehindMs) < BEHIND_MS;
  }

  /** Its newest record was looked up: milliseconds since 1970; 0 or less: nobody knows. */
  void dated(final long ms) {
    newestMs = OptionalLong.of(ms);
  }

  OptionalLong newestMs() {
    return newestMs;
  }

  Age age(final long oldBeforeMs) {
    return Age.of(lastAppendMs, newestMs, oldBeforeMs);
  }

  /** From now on its newest record's time counts as that of the last append. */
  void countsByNewest() {
    lastAppendMs = newestMs.getAsLong();
  }

  /** True from the begin of a move to its end, and if it is gone. */
  boolean moving() {
    return moving;
  }

  /** It is being moved, or gone: it is in no order any more. */
  void begin() {
    moving = true;
  }

  /**
   * The move has ended.
   *
   * @param retryNanos zero if it went well; otherwise it is left alone for this long, and twice as
   *     long after each further failure
   */
  void end(final long retryNanos, final long nowNanos) {
    if (retryNanos > 0) {
      notBeforeNanos = nowNanos + (retryNanos << Math.min(failures, DOUBLINGS_MAX));
      failures++;
    }
    moving = false;
  }

  /** It couldn't be moved. */
  void stuck(final String why) {
    stuck = why;
  }

  /** Why it couldn't be moved from where it lies; null: nobody tried, or not in vain. */
  String stuck() {
    return stuck;
  }

  /** True unless it is left alone after a failure. */
  boolean mayMove(final long nowNanos) {
    return failures == 0 || notBeforeNanos - nowNanos <= 0;
  }

  void ranked(final double now) {
    rank = now;
  }

  /** Input of a policy's rank. */
  SegmentFacts facts(final long halfLifeMs) {
    final String partitionName = partition.getFileName().toString();
    return new SegmentFacts(
        SegmentName.topic(partitionName),
        partitionName,
        SegmentName.baseOffset(fileName),
        bytes,
        lastAppendMs,
        readBytesLog2,
        halfLifeMs);
  }

  @Override
  public Path partition() {
    return partition;
  }

  @Override
  public String fileName() {
    return fileName;
  }

  @Override
  public TierDirectory directory() {
    return directory;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long lastAppendMs() {
    return lastAppendMs;
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
}
