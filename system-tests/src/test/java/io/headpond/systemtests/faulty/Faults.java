// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import io.headpond.systemtests.faulty.Fault.Call;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What of a {@link FaultyFileSystem} fails or is slow just now. Several threads. */
final class Faults {

  private final List<Fault> all = new CopyOnWriteArrayList<>();
  private final AtomicLong written = new AtomicLong();
  private volatile long bytesPerSecond;
  private long freeAtNanos;

  void add(Fault fault) {
    all.add(fault);
  }

  /** Nothing fails any more; returns how often something did. */
  long clear() {
    long hits = hits();
    all.clear();
    return hits;
  }

  /** How often something has failed since the last {@link #clear}. */
  long hits() {
    return all.stream().mapToLong(fault -> fault.hits().get()).sum();
  }

  /** Bytes written, to all files together. */
  long written() {
    return written.get();
  }

  /** Writes take as long as a device of this speed needs; 0: as fast as they can. */
  void bytesPerSecond(long limit) {
    bytesPerSecond = limit;
  }

  /**
   * Returns if the call is to succeed.
   *
   * @throws FailedCallException if it is to fail
   */
  void check(Call call, String path) throws FailedCallException {
    for (Fault fault : all) {
      if (fault.takes(call, path)) {
        throw new FailedCallException(fault);
      }
    }
  }

  /** Takes the time that a write of so many bytes needs, one after the other as a disk does. */
  void pace(long bytes) {
    written.addAndGet(bytes);
    long limit = bytesPerSecond;
    if (limit == 0) {
      return;
    }
    long until;
    synchronized (this) {
      long now = System.nanoTime();
      freeAtNanos = Math.max(freeAtNanos, now) + bytes * TimeUnit.SECONDS.toNanos(1) / limit;
      until = freeAtNanos;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
