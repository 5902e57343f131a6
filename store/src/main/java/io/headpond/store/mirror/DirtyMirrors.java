// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The mirrors that were appended to since the last round began. They are linked by their own
 * fields, so that an append allocates nothing. Any thread adds; the mirror's thread looks and
 * takes.
 */
final class DirtyMirrors {
  private final AtomicReference<SegmentMirror> first = new AtomicReference<>();

  /** A mirror is behind. No system call, no allocation. */
  void add(final SegmentMirror mirror) {
    if (!mirror.queued) {
      mirror.queued = true;
      push(mirror);
    }
  }

  private void push(final SegmentMirror mirror) {
    SegmentMirror before;
    do {
      before = first.get();
      mirror.next = before;
    } while (!first.compareAndSet(before, mirror));
  }

  /** The last one that was added, which leads to the others; null: there is none. */
  SegmentMirror first() {
    return first.get();
  }

  /** Bytes that the next round would copy. */
  long behindBytes() {
    long bytes = 0;
    for (SegmentMirror mirror = first.get(); mirror != null; mirror = mirror.next) {
      bytes += mirror.behindBytes();
    }
    return bytes;
  }

  /** The number of them. */
  int size() {
    int count = 0;
    for (SegmentMirror mirror = first.get(); mirror != null; mirror = mirror.next) {
      count++;
    }
    return count;
  }

  /** Takes all of them, a log's earlier segment first, without those that are to be caught up. */
  List<SegmentMirror> take() {
    final List<SegmentMirror> taken = new ArrayList<>();
    SegmentMirror mirror = first.getAndSet(null);
    while (mirror != null) {
      final SegmentMirror following = mirror.next;
      mirror.next = null;
      mirror.queued = false; // before its end is looked at
      if (mirror.live()) {
        taken.add(mirror);
      }
      mirror = following;
    }
    Collections.reverse(taken);
    return taken;
  }
}
