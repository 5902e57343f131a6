// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import java.nio.file.FileSystemException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The mirrors that lack bytes because their tier files can't be read. That concerns the appends of
 * their logs alone. Any thread looks; the mirror's thread changes it.
 */
final class UnreadMirrors {
  /**
   * One of them.
   *
   * @param failure names its tier file
   * @param round the last one in which it couldn't be read
   * @param untilNanos what was acknowledged before is in it
   */
  record Unread(SegmentMirror mirror, FileSystemException failure, long round, long untilNanos) {}

  private final Map<SegmentMirror, Unread> all = new ConcurrentHashMap<>();

  boolean isEmpty() {
    return all.isEmpty();
  }

  boolean has(final SegmentMirror mirror) {
    return all.containsKey(mirror);
  }

  /** A mirror's tier file can't be read, or still can't. */
  void add(
      final SegmentMirror mirror,
      final FileSystemException failure,
      final long round,
      final long untilNanos) {
    final Unread before = all.get(mirror);
    all.put(
        mirror,
        new Unread(mirror, failure, round, before == null ? untilNanos : before.untilNanos()));
  }

  /** Nobody needs it. */
  void remove(final SegmentMirror mirror) {
    all.remove(mirror);
  }

  /** A round is over: of these mirrors those are well that it could read. */
  void ended(final long round, final Collection<SegmentMirror> copied) {
    for (final SegmentMirror mirror : copied) {
      final Unread known = all.get(mirror);
      if (known != null && known.round() < round) {
        all.remove(mirror);
      }
    }
    all.keySet().removeIf(SegmentMirror::gone);
  }

  /** All of them, that first which wasn't tried for longest. */
  List<SegmentMirror> oldestFirst() {
    return all.values().stream()
        .sorted(Comparator.comparingLong(Unread::round))
        .map(Unread::mirror)
        .toList();
  }

  /**
   * The one that keeps an append from being safe; null: there is none. A log whose tier is lost
   * ends with the first segment that isn't whole.
   *
   * @param bytes the append's end in the segment
   */
  Unread against(final SegmentMirror awaited, final long bytes) {
    if (all.isEmpty()) { // as nearly always, and each append asks
      return null;
    }
    Unread found = null;
    for (final Unread each : all.values()) {
      final SegmentMirror mirror = each.mirror();
      final boolean lacks =
          mirror == awaited
              ? mirror.forced() < bytes
              : mirror.behindBytes() > 0 && mirror.precedes(awaited);
      if (lacks
          && !mirror.gone()
          && (found == null || each.untilNanos() - found.untilNanos() < 0)) {
        found = each;
      }
    }
    return found;
  }

  /** The time until which everything acknowledged is in all mirrors. */
  long untilNanos(final long othersNanos) {
    long until = othersNanos;
    for (final Unread each : all.values()) {
      until = each.untilNanos() - until < 0 ? each.untilNanos() : until;
    }
    return until;
  }
}
