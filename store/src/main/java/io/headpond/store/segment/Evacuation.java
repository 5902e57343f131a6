// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/**
 * The move of a segment whose tier is full or failed in the middle of it. Its readable bytes go to
 * the next tier that has room, else home, and it goes on there. Under the segment's lock.
 */
public final class Evacuation {
  /** Finds a place for a segment, and moves it there. */
  public interface Moves {
    /**
     * Under the segment's lock.
     *
     * @param length bytes of the segment
     * @return null: it stays where it is, which has room again
     * @throws IOException if no place has room
     */
    SegmentSwitch move(Segment segment, long length) throws IOException;
  }

  private final Counters counters;
  private final TimeSource time;
  private final Moves moves;
  private final Segment segment;

  public Evacuation(
      final Counters counters, final TimeSource time, final Moves moves, final Segment segment) {
    this.time = time;
    this.counters = counters;
    this.moves = moves;
    this.segment = segment;
  }

  /**
   * Moves it.
   *
   * @param own a descriptor of the present file; null: none is open
   * @param cause what the device said
   * @throws IOException the cause, if there is no place left either
   */
  public void run(final FileChannel own, final IOException cause) throws IOException {
    final SegmentFile from = segment.file();
    if (segment.isDeleted() || from.atHome() && !(cause instanceof DeviceFullException)) {
      throw cause;
    }
    final long started = time.nanos();
    if (cause instanceof DeviceFaultException && !from.atHome()) {
      from.directory.fail(cause);
    } else if (!from.atHome() && cause.getCause() != null) { // not the account alone
      from.directory.full();
    }
    final long length = from.end(own);
    segment.changed();
    final SegmentSwitch done;
    try {
      done = moved(length);
    } catch (final IOException e) {
      throw new IOException(
          segment.name()
              + ": "
              + PlainText.reason(cause)
              + "; and it can't go on elsewhere: "
              + PlainText.reason(e),
          suppressing(cause, e));
    }
    if (done == null) {
      return;
    }
    // The new name must be durable before the old file goes, and before anything is promised.
    done.giveUpSourceHere();
    report(from, done.to(), cause, length, TimeUnit.NANOSECONDS.toMillis(time.nanos() - started));
  }

  private void report(
      final SegmentFile from,
      final SegmentFile to,
      final IOException cause,
      final long length,
      final long stallMs) {
    counters.incidents.count(
        cause instanceof DeviceFullException ? Incident.DEVICE_FULL : Incident.DEVICE_FAULT);
    counters.increment(Count.EVACUATED_SEGMENTS);
    counters.add(Count.EVACUATED_BYTES, length);
    counters.evacuationStallMsMax.accumulate(stallMs);
    counters.conditions.met(
        from.atHome() ? "home" : from.directory.toString(),
        PlaceCodes.EVACUATED.words(
            segment.name(),
            cause.getMessage(),
            length,
            to.directory == null ? "home" : to.directory,
            stallMs,
            from.atHome()
                ? "Make room at home, or lower the retention"
                : from.directory.remedy(false)));
  }

  /** An interrupt ends what the engine's own channel does, not a move that is half done. */
  private SegmentSwitch moved(final long length) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return moves.move(segment, length);
        } catch (final ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException suppressing(final IOException cause, final IOException further) {
    cause.addSuppressed(further);
    return cause;
  }
}
