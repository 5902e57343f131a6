// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The records that a broker has acknowledged, each with its offset in one topic, and those of
 * transactions that it has confirmed as aborted. Any thread.
 */
final class Acknowledgements {

  /** 256 Mi records, 2 GiB of memory: far beyond what a run here produces. */
  private static final long OFFSET_MAX = 1L << 28;

  private final Partition[] partitions;
  private final Set<Long> aborted = ConcurrentHashMap.newKeySet();

  Acknowledgements(int partitions) {
    this.partitions = new Partition[partitions];
    Arrays.setAll(this.partitions, i -> new Partition());
  }

  void add(int partition, long offset, long id) {
    partitions[partition].add(offset, id);
  }

  void addAborted(long id) {
    aborted.add(id);
  }

  boolean isAborted(long id) {
    return aborted.contains(id);
  }

  /** For each offset below the returned length the acknowledged record's id, or -1. A copy. */
  long[] idsByOffset(int partition) {
    return partitions[partition].copy();
  }

  long count() {
    return Arrays.stream(partitions).mapToLong(Partition::count).sum();
  }

  /** Acknowledged records whose offset was later acknowledged for another record: lost ones. */
  long replaced() {
    return Arrays.stream(partitions).mapToLong(Partition::replaced).sum();
  }

  private static final class Partition {
    private long[] ids = new long[1024];
    private int length;
    private long count;
    private long replaced;

    synchronized void add(long offset, long id) {
      if (offset < 0 || offset >= OFFSET_MAX) {
        throw new IllegalStateException(
            "offset " + offset + " can't be recorded; the limit is " + OFFSET_MAX);
      }
      int at = (int) offset;
      if (at >= ids.length) {
        ids = Arrays.copyOf(ids, Math.max(at + 1, ids.length * 2));
      }
      if (at >= length) {
        Arrays.fill(ids, length, at, -1);
        length = at + 1;
      } else if (ids[at] != -1) {
        // The broker gave the offset out again: it has lost the record that it acknowledged there
        // before.
        replaced++;
      }
      ids[at] = id;
      count++;
    }

    synchronized long[] copy() {
      return Arrays.copyOf(ids, length);
    }

    synchronized long count() {
      return count;
    }

    synchronized long replaced() {
      return replaced;
    }
  }
}
