// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.store.facts.TimeSource;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The force of a segment not for the engine but for what comes after it in its log. By a thread
 * that holds no segment's lock.
 */
public final class SuccessorForce {
  /** Longer than a rename or a deletion takes on a device that isn't given up. */
  private static final long NAME_CHANGE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Longer than the copy of a segment takes on a disk that isn't given up. */
  private static final long MOVE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final Segment segment;
  private final TimeSource time;

  public SuccessorForce(final Segment segment, final TimeSource time) {
    this.segment = segment;
    this.time = time;
  }

  /**
   * Forces the segment if need be.
   *
   * @param alsoFound also what an earlier process wrote?
   */
  public void force(final boolean alsoFound) throws IOException {
    final SegmentDurability durability = segment.durability;
    while (!segment.isDeleted() && !durability.bytesForced(alsoFound)) {
      final Path at = segment.name();
      final SegmentFile now = segment.file();
      try {
        forceBytes(now, at);
        if (now == segment.file()) {
          break;
        } // else what was appended since a move is yet to be forced
      } catch (final NoSuchFileException e) {
        if (!nameChanged(at, now)) {
          throw e;
        } // what is deleted is nobody's predecessor
      }
    }
    if (!segment.isDeleted()) {
      durability.forceMove();
    }
  }

  private void forceBytes(final SegmentFile now, final Path at) throws IOException {
    try {
      segment.force(now, () -> now.forceHere(now.atHome() ? at : now.path()));
    } catch (final DeviceFaultException e) {
      if (!evacuated(now, e)) {
        throw e;
      }
    }
  }

  /**
   * Something isn't where it was: waits until who renames, moves or deletes it has said so.
   *
   * @return false: nobody does
   */
  private boolean nameChanged(final Path at, final SegmentFile was) {
    final long deadline = time.nanos() + NAME_CHANGE_NANOS;
    boolean looked = false;
    while (!segment.isDeleted() && segment.file() == was && at.equals(segment.name())) {
      if (looked || time.nanos() - deadline > 0) {
        return false;
      }
      if (segment.lock.tryLock()) { // who changes a name holds it, and waits for nothing meanwhile
        segment.lock.unlock();
        looked = true;
      } else {
        LockSupport.parkNanos(segment, POLL_NANOS);
      }
    }
    return true;
  }

  /**
   * Moves the segment, unless somebody else does or deletes it. Waits for this segment's lock, but
   * not for ever: who waits for a force may hold another's, for which the holder of this one waits.
   *
   * @return false: it is where it was
   */
  private boolean evacuated(final SegmentFile failed, final DeviceFaultException e)
      throws IOException {
    final long deadline = time.nanos() + MOVE_NANOS;
    while (segment.file() == failed && !segment.isDeleted()) {
      if (segment.lock.tryLock()) {
        try {
          segment.evacuateFrom(failed, e);
          return true;
        } finally {
          segment.lock.unlock();
        }
      }
      if (time.nanos() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(segment, POLL_NANOS);
    }
    return true;
  }
}
