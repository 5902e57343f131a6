// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.DeviceFullException;
import io.headpond.store.claim.Home;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.CopyProgress;
import io.headpond.store.layout.CopySteps;
import io.headpond.store.layout.SegmentCopy;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.segment.SegmentSwitch;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Moves one segment to another tier while the engine goes on using it.
 *
 * <p>The bytes are copied and forced without any lock, then those that came meanwhile, and so on
 * until little is left. Only that rest is copied and forced under the segment's lock, where the
 * engine's appends, truncations, renames and deletions wait; then the name is switched by a rename,
 * and the lock is let go. What the engine did to the segment in the meantime other than appending
 * wins: the copy is thrown away.
 *
 * <p>Appending to both files during the copy would not shorten the switch: what is acknowledged
 * must be durable in the new file before the name leads there, so the last force has to be waited
 * for in any case. One thread.
 */
final class SegmentMigration {
  /** The outcome of a move. */
  enum Outcome {
    MOVED,
    /** The engine changed what was copied already, or appends faster than the target takes it. */
    CHANGED,
    /** Deleted, or about to be. */
    GONE,
    NO_ROOM
  }

  private static final int ROUNDS_MAX = 16;

  /** As little as this is copied and forced while appends wait. */
  private static final long REST_BYTES_MAX = 128 << 10;

  /**
   * The maximum rest where rounds don't get shorter any more. A round takes a force at least, and
   * the appends during a force of the device will never be less. A few milliseconds' copying.
   */
  private static final long STEADY_REST_BYTES_MAX = 4 << 20;

  private final Namespace names;
  private final Placement placement;
  private final PageCache pageCache;
  private final TimeSource time;
  private final CopyProgress flow;

  private SegmentChannel channel;
  private Segment segment;
  private TierDirectory to;
  private SegmentFile from;
  private Path target;

  /** The copy's name until it is whole: a crash leaves no doubt about it. */
  private Path unfinished;

  private Home home;
  private int changes;
  private long reserved;
  private SegmentSwitch made;
  private boolean switching;
  private long bytes;

  SegmentMigration(
      final Namespace names,
      final Placement placement,
      final PageCache pageCache,
      final TimeSource time,
      final CopyProgress flow) {
    this.names = names;
    this.placement = placement;
    this.pageCache = pageCache;
    this.time = time;
    this.flow = flow;
  }

  /**
   * Moves a segment.
   *
   * @param name its name in the log directory
   * @param directory where to; null: home
   * @param active is it probably still appended to?
   * @throws IOException if reading or writing failed; the segment is where it was then, unless only
   *     the last force of its directory failed
   */
  Outcome move(final Path name, final TierDirectory directory, final boolean active)
      throws IOException {
    try {
      channel = names.openToMove(name);
    } catch (final NoSuchFileException e) {
      return Outcome.GONE;
    }
    try (SegmentChannel held = channel) {
      segment = held.segment();
      to = directory;
      home = names.home(name);
      return begin() ? copyAndSwitch(active) : Outcome.GONE;
    }
  }

  /** Bytes of the segment that was moved. */
  long movedBytes() {
    return bytes;
  }

  private boolean begin() {
    segment.lock.lock();
    try {
      if (gone() || segment.isUserMapped() || segment.file().directory == to) {
        return false;
      }
      from = segment.file();
      changes = segment.watch();
      return true;
    } finally {
      segment.lock.unlock();
    }
  }

  private boolean gone() {
    final Path name = segment.name();
    return segment.isDeleted()
        || !SegmentName.isPlain(name.getFileName().toString())
        || SegmentName.isBeingDeleted(name.getParent().getFileName().toString());
  }

  /** True if it, or its directory, has another name by now. Who renames it holds its lock. */
  private boolean goneFrom(final Path name) {
    segment.lock.lock();
    try {
      return gone() || !segment.name().equals(name);
    } finally {
      segment.lock.unlock();
    }
  }

  private boolean changed() {
    return segment.file() != from || segment.changes() != changes;
  }

  private Outcome copyAndSwitch(final boolean active) throws IOException {
    final Path name = segment.name();
    try {
      target = to == null ? SegmentMove.temporary(name) : to.newFile(home.id(), name);
      unfinished = to == null ? target : SegmentMove.temporaryInTier(target);
      final Outcome outcome = copy(name, active);
      if (outcome != Outcome.MOVED) {
        return outcome;
      }
    } catch (final NoSuchFileException e) {
      if (goneFrom(name)) {
        return Outcome.GONE;
      }
      throw e;
    } finally {
      segment.unwatch();
      if (!published()) {
        discard();
      }
    }
    made.giveUpSource();
    return Outcome.MOVED;
  }

  private Outcome copy(final Path name, final boolean active) throws IOException {
    boolean grows = active;
    final Path source = from.atHome() ? name : from.path();
    final boolean direct = to != null || pageCache.passedBy(names.readBehind(name));
    // Home's own are of what is written there.
    final CopySteps steps = to != null ? new CopySteps(time::nanos) : names.space(home).copySteps();
    try (SegmentCopy copy = new SegmentCopy(source, unfinished, direct, steps, this::copied)) {
      long rest = channel.size();
      for (int round = 0; round < ROUNDS_MAX; round++) {
        final long end = copy.position() + rest;
        if (!reserve(end, copy.position())) {
          return Outcome.NO_ROOM;
        }
        if (grows) {
          copy.copyBlocks(end);
        } else {
          copy.copyRest(end);
        }
        makeSure(copy);
        if (gone() || changed()) {
          return gone() ? Outcome.GONE : Outcome.CHANGED;
        }
        final long before = rest;
        rest = channel.size() - copy.position();
        if (rest <= restBytesMax(grows, rest > before / 2)) {
          if (to != null) {
            copy.rename(target);
            placement.forceFiles(to, home.id());
          }
          return switchTo(copy);
        }
        if (!grows) {
          grows = true;
          names.grows(name);
        }
      }
      return Outcome.CHANGED;
    } catch (final StoppedException e) {
      return e.outcome;
    } catch (final IOException e) {
      if (to != null) {
        to.copyFailed(e);
      } else if (e instanceof DeviceFullException) {
        names.space(home).refuse();
      }
      if (!published() && gone()) {
        return Outcome.GONE;
      }
      if (!published() && changed()) {
        return Outcome.CHANGED; // a truncation took away what was to be read
      }
      throw e;
    }
  }

  private static long restBytesMax(final boolean grows, final boolean steady) {
    return !grows ? 0 : steady ? STEADY_REST_BYTES_MAX : REST_BYTES_MAX;
  }

  /** Makes what was copied so far durable, with the source's attributes. */
  private void makeSure(final SegmentCopy copy) throws IOException {
    copy.keepAttributes();
    copy.force();
  }

  private Outcome switchTo(final SegmentCopy copy) throws IOException {
    segment.lock.lock();
    try {
      if (gone() || changed()) {
        return gone() ? Outcome.GONE : Outcome.CHANGED;
      }
      switching = true;
      final long end = channel.size();
      if (!reserve(end, copy.position())) {
        return Outcome.NO_ROOM;
      }
      copy.copyRest(end);
      if (!copy.forced()) {
        makeSure(copy);
      }
      copy.checkLength();
      publish(end);
      return Outcome.MOVED;
    } finally {
      segment.lock.unlock();
    }
  }

  /** Under the segment's lock. */
  private void publish(final long end) throws IOException {
    final SegmentFile file =
        to == null ? placement.atHome(segment.name(), end) : placement.inTier(to, target, end);
    bytes = end;
    made = new SegmentSwitch(names, segment, file, target);
    made.run();
  }

  private boolean published() {
    return made != null && made.published();
  }

  private void copied(final long bytes) throws IOException {
    if (switching) {
      return; // appends wait, and the lock sees to it that nothing changes
    }
    if (to == null && !names.space(home).spend(bytes)) {
      throw new StoppedException(Outcome.NO_ROOM);
    }
    if (gone()) {
      throw new StoppedException(Outcome.GONE);
    }
    if (changed()) {
      throw new StoppedException(Outcome.CHANGED);
    }
    if (!segment.awaited()) {
      flow.copied(bytes);
    }
  }

  private static final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Outcome outcome;

    StoppedException(final Outcome outcome) {
      super(outcome.name());
      this.outcome = outcome;
    }
  }

  /** Room for the copy from its present position to its end, in the target's account. */
  private boolean reserve(final long end, final long copied) throws IOException {
    if (to == null) {
      return names.space(home).roomBytes() >= end - copied;
    }
    if (end > reserved) {
      if (!to.space.reserve(end - reserved)) {
        return false;
      }
      reserved = end;
    }
    return true;
  }

  private void discard() throws IOException {
    if (unfinished == null) {
      return; // nothing was begun
    }
    Files.deleteIfExists(unfinished);
    Files.deleteIfExists(target);
    if (to != null) {
      to.space.release(reserved);
    }
  }
}
