// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A log of which other threads than its owner force, migrate and delete segments, as in Kafka. */
final class ScheduledLog {
  final EngineLog log;
  private final ConcurrentLinkedQueue<EngineSegment> deleted = new ConcurrentLinkedQueue<>();

  /** Deleted ones, also those that a thread is busy with. */
  private volatile int undeleted;

  /** Was the engine told an error? It does nothing to the log any more. */
  private volatile boolean offline;

  private boolean begun;
  private volatile List<EngineSegment> shown = List.of();

  ScheduledLog(final EngineLog log) {
    this.log = log;
    show();
  }

  boolean offline() {
    return offline;
  }

  void toldAnError() {
    offline = true;
  }

  /** Is it not the first time that this is asked? The owner. */
  boolean begun() {
    final boolean before = begun;
    begun = true;
    return before;
  }

  /** The segments as the owner left them the last time. Any thread. */
  List<EngineSegment> shown() {
    return shown;
  }

  /** Shows others what there is, and leaves them what is to be deleted. The owner. */
  void show() {
    shown = List.copyOf(log.segments.values());
    handOver(log.deleted);
    log.deleted.clear();
  }

  private synchronized void handOver(final List<EngineSegment> open) {
    undeleted += open.size();
    deleted.addAll(open);
  }

  /** May a name that ends in {@code .deleted} be there? */
  boolean deleting() {
    return undeleted > 0;
  }

  /** Deletes what there is to be deleted. */
  void deleteFiles() throws IOException {
    for (EngineSegment next = deleted.poll(); next != null; next = deleted.poll()) {
      next.delete();
      one();
    }
  }

  private synchronized void one() {
    undeleted--;
  }

  /** Closes everything. */
  void close() throws IOException {
    log.close();
    final List<EngineSegment> left = new ArrayList<>(deleted);
    deleted.clear();
    for (final EngineSegment open : left) {
      open.channel.close();
    }
  }
}
