// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A partition's segments as a chain: a byte of one is worth nothing to a recovery unless all
 * segments before it are whole. Any thread that holds no segment's lock.
 */
final class LogChain {
  /** A clock that was set at boot may have been wrong by this much before. */
  private static final long BOOT_MARGIN_MS = TimeUnit.MINUTES.toMillis(1);

  private final PartitionDirectory partition;
  private final long bootMs;
  private final TimeSource time;

  /**
   * The chain of a partition.
   *
   * @param bootMs when the machine started, milliseconds since 1970: older bytes were read from the
   *     device
   */
  LogChain(final PartitionDirectory partition, final long bootMs, final TimeSource time) {
    this.partition = partition;
    this.bootMs = bootMs;
    this.time = time;
  }

  /**
   * Makes all segments before one durable.
   *
   * @param fileName the segment's
   * @param alsoFound also what an earlier process wrote?
   * @throws IOException if one of them can't be forced
   */
  void forceBefore(final String fileName, final boolean alsoFound) throws IOException {
    if (!SegmentName.isPlain(fileName)) {
      return; // no part of the log, until it is renamed
    }
    partition.refuseUnforceable();
    if (alsoFound && !partition.unopenedForced) {
      // First: what is closed unforced from now on must be forced by the next one that comes here.
      partition.unopenedForced = true;
      boolean done = false;
      try {
        forceUnopened(fileName);
        done = true;
      } finally {
        partition.unopenedForced &= done;
      }
    }
    boolean allOpen = true;
    // In the log's order: the engine's own force of one of them may be waiting for those before.
    for (final Map.Entry<String, Segment> before : partition.open.headMap(fileName).entrySet()) {
      if (SegmentName.isPlain(before.getKey()) && !before.getValue().durability.forced()) {
        allOpen &= forced(before.getValue(), alsoFound);
      }
    }
    if (!allOpen) {
      forceUnopened(fileName);
    }
  }

  /**
   * Forces an open segment.
   *
   * @return false: it was closed meanwhile, and may have been renamed or deleted since
   */
  private boolean forced(final Segment before, final boolean alsoFound) throws IOException {
    try {
      new SuccessorForce(before, time).force(alsoFound);
      return true;
    } catch (final NoSuchFileException e) {
      if (partition.open.containsValue(before)) {
        throw e;
      }
      return false;
    }
  }

  private void forceUnopened(final String fileName) throws IOException {
    for (Path at = partition.find(); at != null; ) {
      try {
        forceUnopened(at, fileName);
      } catch (final NoSuchFileException e) {
        if (at.equals(partition.find())) {
          throw e;
        }
      }
      final Path now = partition.find();
      at = at.equals(now) ? null : now; // what a rename took away isn't forced
    }
  }

  private void forceUnopened(final Path directory, final String fileName) throws IOException {
    for (final Path file : NameLook.list(directory)) {
      final String name = file.getFileName().toString();
      if (SegmentName.isPlain(name)
          && name.compareTo(fileName) < 0
          && !partition.open.containsKey(name)) {
        forceUnopened(file);
      }
    }
  }

  private void forceUnopened(final Path file) throws IOException {
    while (true) {
      try {
        if (mayBeUnforced(file)) {
          DirectoryForce.forceNow(file);
        }
        return;
      } catch (final ForceFailedException e) {
        partition.unforceable = e;
        throw e;
      } catch (final NoSuchFileException deletedOrMoved) {
        if (!NameLook.exists(file)) {
          return;
        }
        if (!NameLook.leadsSomewhere(file)) {
          throw deletedOrMoved;
        } // it was moved between the look at the link and the opening
      }
    }
  }

  /** True if bytes of a file that was found may be in the page cache alone. */
  private boolean mayBeUnforced(final Path file) throws IOException {
    return mayBeUnforced(Files.getLastModifiedTime(file).toMillis(), bootMs);
  }

  /**
   * The time when the machine started, milliseconds since 1970, by {@code /proc/uptime} (proc(5)).
   *
   * @return as early as can be if nothing tells
   */
  static long bootMs(final FileSystem fileSystem, final long nowMs) {
    try {
      final String uptime = Files.readString(fileSystem.getPath("/proc/uptime"));
      final double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
      return nowMs - (long) (seconds * 1000) - BOOT_MARGIN_MS;
    } catch (final IOException | RuntimeException unknown) {
      return Long.MIN_VALUE;
    }
  }

  /**
   * True if bytes of a file that was found may be in the page cache alone.
   *
   * @param modifiedMs when it was last written to, milliseconds since 1970
   * @param bootMs when the machine started, milliseconds since 1970
   */
  static boolean mayBeUnforced(final long modifiedMs, final long bootMs) {
    return modifiedMs >= bootMs;
  }
}
