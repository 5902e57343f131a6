// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SuccessorForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A partition's segments as a chain: a byte of one is worth nothing to a recovery unless all
 * segments before it are whole. Any thread that holds no segment's lock.
 */
public final class LogChain {
  private final PartitionDirectory partition;
  private final long bootMs;
  private final TimeSource time;

  /**
   * The chain of a partition.
   *
   * @param bootMs when the machine started, milliseconds since 1970: older bytes were read from the
   *     device
   */
  public LogChain(final PartitionDirectory partition, final long bootMs, final TimeSource time) {
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
  public void forceBefore(final String fileName, final boolean alsoFound) throws IOException {
    if (!SegmentName.isPlain(fileName)) {
      return; // no part of the log, until it is renamed
    }
    partition.refuseUnforceable();
    int closed;
    do {
      closed = partition.closedUnforced();
      // In the log's order: the engine's own force of one of them may be waiting for those before.
      for (final Map.Entry<String, Segment> before : partition.open.headMap(fileName).entrySet()) {
        forced(before.getKey(), before.getValue(), alsoFound);
      }
      // After those: what is closed meanwhile is unopened by now, or makes another round.
      if ((alsoFound || closed > 0) && !partition.unopenedForced(fileName, closed)) {
        forceUnopened(fileName, alsoFound);
        partition.unopenedWereForced(fileName, closed);
      }
    } while (closed != partition.closedUnforced());
  }

  /** Forces an open segment, unless it was closed meanwhile and isn't there by that name. */
  private void forced(final String name, final Segment before, final boolean alsoFound)
      throws IOException {
    if (!SegmentName.isPlain(name) || before.durability.forced()) {
      return;
    }
    try {
      new SuccessorForce(before, time).force(alsoFound);
    } catch (final NoSuchFileException e) {
      if (partition.open.containsValue(before)) {
        throw e;
      }
    }
  }

  private void forceUnopened(final String fileName, final boolean alsoFound) throws IOException {
    for (Path at = partition.find(); at != null; ) {
      try {
        forceUnopened(at, fileName, alsoFound);
      } catch (final NoSuchFileException e) {
        if (at.equals(partition.find())) {
          throw e;
        }
      }
      final Path now = partition.find();
      at = at.equals(now) ? null : now; // what a rename took away isn't forced
    }
  }

  private void forceUnopened(final Path directory, final String fileName, final boolean alsoFound)
      throws IOException {
    for (final Path file : NameLook.list(directory)) {
      final String name = file.getFileName().toString();
      if (SegmentName.isPlain(name) && name.compareTo(fileName) < 0) {
        final Segment opened = partition.open.get(name);
        if (opened == null) {
          forceUnopened(file);
        } else {
          forced(name, opened, alsoFound); // it was opened just now
        }
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
   * True if bytes of a file that was found may be in the page cache alone.
   *
   * @param modifiedMs when it was last written to, milliseconds since 1970
   * @param bootMs when the machine started, milliseconds since 1970
   */
  public static boolean mayBeUnforced(final long modifiedMs, final long bootMs) {
    return modifiedMs >= bootMs;
  }
}
