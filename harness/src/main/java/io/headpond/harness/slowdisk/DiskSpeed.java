// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The speed of a limited disk, measured.
 *
 * @param writes large ones by direct I/O, one after the other
 * @param reads the same
 * @param forcedBytesPerSecond of writes to the page cache that are forced
 * @param smallWritesPerSecond of 4 KiB, at random places, by direct I/O
 * @param smallReadsPerSecond the same
 */
public record DiskSpeed(
    Stream writes,
    Stream reads,
    double forcedBytesPerSecond,
    double smallWritesPerSecond,
    double smallReadsPerSecond) {

  static final int SMALL_BYTES = 4096;

  private static final double FASTER_MAX = 1.15;
  private static final double SLOWER_MAX = 0.8;

  /**
   * Large operations.
   *
   * @param operationBytes what the device got at a time, which may be less than a call had
   */
  public record Stream(double bytesPerSecond, double operationBytes) {}

  /**
   * The rate of large writes that it takes for long, bytes a second. A short measurement also has
   * what the block layer gives in advance, a time slice's bytes.
   */
  double lastingBytesPerSecond(DiskLimit limit) {
    return Math.min(writes.bytesPerSecond, limit.bytesPerSecond(writes.operationBytes));
  }

  /**
   * The deviation from the speed of {@code limit}, with cause and remedy; empty if there is none.
   */
  Optional<String> fault(DiskLimit limit) {
    List<String> faster = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    judge("writes", writes, limit, faster, slower);
    judge("reads", reads, limit, faster, slower);
    if (limit.bytesPerSecond() != 0 && forcedBytesPerSecond > FASTER_MAX * limit.bytesPerSecond()) {
      faster.add("forced writes " + DiskLimit.megabytes(forcedBytesPerSecond));
    }
    judge("small writes", smallWritesPerSecond, limit, faster, slower);
    judge("small reads", smallReadsPerSecond, limit, faster, slower);
    if (!faster.isEmpty()) {
      return Optional.of(
          "it is faster than "
              + limit
              + ": "
              + String.join(", ", faster)
              + ", so the kernel doesn't limit it; start headpond-lab in the root control group");
    }
    return slower.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "it is slower than "
                + limit
                + ": "
                + String.join(", ", slower)
                + "; the disk below can't, or something else uses it: take a lower --home-limit,"
                + " or a folder on a faster disk by --home");
  }

  private static void judge(
      String name, Stream stream, DiskLimit limit, List<String> faster, List<String> slower) {
    String text = name + " " + DiskLimit.megabytes(stream.bytesPerSecond);
    double due = limit.bytesPerSecond(stream.operationBytes);
    if (limit.bytesPerSecond() != 0
        && stream.bytesPerSecond > FASTER_MAX * limit.bytesPerSecond()) {
      faster.add(text);
    } else if (due < Double.POSITIVE_INFINITY && stream.bytesPerSecond < SLOWER_MAX * due) {
      slower.add(text);
    }
  }

  private static void judge(
      String name, double perSecond, DiskLimit limit, List<String> faster, List<String> slower) {
    double due = limit.bytesPerSecond(SMALL_BYTES) / SMALL_BYTES;
    String text = name + " " + operations(perSecond);
    if (perSecond > FASTER_MAX * due) {
      faster.add(text);
    } else if (limit.operationsPerSecond() != 0 && perSecond < SLOWER_MAX * due) {
      slower.add(text);
    }
  }

  private static String operations(double perSecond) {
    return String.format(Locale.ROOT, "%,.0f IOPS", perSecond);
  }

  /** All rates in words. */
  @Override
  public String toString() {
    return "writes "
        + DiskLimit.megabytes(writes.bytesPerSecond)
        + ", reads "
        + DiskLimit.megabytes(reads.bytesPerSecond)
        + ", forced writes "
        + DiskLimit.megabytes(forcedBytesPerSecond)
        + ", 4 KiB writes "
        + operations(smallWritesPerSecond)
        + ", 4 KiB reads "
        + operations(smallReadsPerSecond);
  }
}
