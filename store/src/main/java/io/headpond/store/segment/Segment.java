// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.migrate.HeldBack;
import io.headpond.store.tier.GrowingSegment;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.TopicCounters;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One segment that has open channels: its name, its authoritative file, its lock. Shared by all
 * channels of the process on that name.
 *
 * <p>The lock serialises everything that changes the file or the name: append, truncate, rename,
 * delete, move. It is taken after the {@code PartitionDirectory}'s lock, never before. Reads take
 * no lock.
 */
public final class Segment implements GrowingSegment {
  /** Held by whoever changes the file or the name. */
  public final ReentrantLock lock = new ReentrantLock();

  public final SegmentDurability durability = new SegmentDurability();

  /** Does the next roll of its log look at it? */
  public final Unsealed<Segment> unsealed = new Unsealed<>(this, this::isSealed);

  private final Counters counters;
  private final TopicCounters topics;
  final SegmentHost host;
  private final TimeSource time;
  private volatile Path name;
  private volatile SegmentFile file;

  private final ExpectedSize expected;
  private final long openedNanos;
  private final long openedBytes;

  private volatile long lastWriteNanos;
  private volatile boolean written;

  /** True if it was written to or cut since somebody asked. Under the lock. */
  private volatile boolean resized;

  private volatile boolean deleted;
  private volatile boolean lost;

  /**
   * The failure since which the name's target isn't known; null: it is known. Written under the
   * lock.
   */
  private volatile IOException unclear;

  private volatile boolean userMapped;

  private final MovesUnderWay moves = new MovesUnderWay(lock);

  /** Bytes read since somebody asked. */
  private final LongAdder readBytes = new LongAdder();

  private volatile boolean readSinceAsked;

  /** True if it is among its tier directory's active segments. Under the lock. */
  private volatile boolean active;

  /** Null if nothing is counted by topic. */
  private volatile TopicCounters.Topic topic;

  /** Guarded by itself. */
  private final Set<FileFollower> channels = new HashSet<>();

  public Segment(
      final Counters counters,
      final TopicCounters topics,
      final SegmentHost host,
      final Path name,
      final SegmentFile file,
      final ExpectedSize expected,
      final TimeSource time) {
    this.time = time;
    openedNanos = time.nanos();
    lastWriteNanos = openedNanos;
    this.counters = counters;
    this.topics = topics;
    this.host = host;
    this.name = name;
    this.file = file;
    this.expected = expected;
    openedBytes = file.knownBytes();
  }

  public Path name() {
    return name;
  }

  /** The authoritative file. Any thread; under the lock it stays the same. */
  public SegmentFile file() {
    return file;
  }

  /** Somebody copies the segment and wants to know of changes. Under the lock. */
  public int watch() {
    return moves.begin();
  }

  /** The copy that {@link #watch} announced has ended. Takes the lock. */
  public void unwatch() {
    lock.lock();
    try {
      moves.end();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a move that is under way, for which the lock is let go: what it has copied already
   * needn't be copied again. Under the lock.
   *
   * @return true if the segment lies elsewhere now; false if it doesn't, or nothing moved it
   */
  boolean awaitMove() {
    final SegmentFile before = file;
    final long started = time.nanos();
    moves.await(() -> file != before);
    if (file == before) {
      return false;
    }
    final long stallMs = TimeUnit.NANOSECONDS.toMillis(time.nanos() - started);
    counters.evacuationStallMsMax.accumulate(stallMs);
    Events.LOG.info(
        "{}: {} was full; appends waited {} ms for the move that was under way",
        name,
        before.atHome() ? "home" : before.directory,
        stallMs);
    return true;
  }

  /** True while an append waits for the move that is under way. Any thread. */
  public boolean awaited() {
    return moves.awaited();
  }

  /** True if changes to existing bytes must be told. Under the lock. */
  public boolean watched() {
    return moves.any();
  }

  /** Bytes that were there became others. Under the lock. */
  void changed() {
    unsealed.touch();
    moves.changed();
    resized = true;
  }

  /** The number of calls of {@link #changed}. */
  public int changes() {
    return moves.changes();
  }

  /**
   * Counts a read. Any thread.
   *
   * @param from the directory of the tier that it came from; null is home
   */
  void read(final long bytes, final TierDirectory from) {
    if (bytes > 0) {
      (from == null ? counters.homeReadBytes : from.readBytes).add(bytes);
      final TopicCounters.Topic counted = topic;
      if (counted != null) {
        counted.read(bytes, from);
      }
      readBytes.add(bytes);
      if (!readSinceAsked) {
        readSinceAsked = true;
        host.wasRead(this);
      }
    }
  }

  /** The bytes read since the last call. */
  public long takeReadBytes() {
    readSinceAsked = false;
    return readBytes.sumThenReset();
  }

  @Override
  public void holdBack(final HeldBack held, final long nowNanos) {
    final SegmentFile now = file;
    if (now.atHome() || now instanceof MappedSegmentFile mapped && !mapped.growing()) {
      return;
    }
    final long bytes = now.knownBytes();
    final long grown = Math.max(0, bytes - openedBytes);
    final long age = nowNanos - openedNanos;
    held.add(
        expected.growthBytes(
            now.directory.capacityBytes, now.directory.growsAhead(), bytes, grown, age),
        expected.isSure(now.directory.capacityBytes, bytes),
        expected.soonBytes(grown, age));
  }

  /** The rate at which it grew until its last append. Any thread. */
  public double growthPerNano() {
    return expected.growthPerNano(
        Math.max(0, file.knownBytes() - openedBytes), lastWriteNanos - openedNanos);
  }

  /** Its name is new or was replaced: durable appends wait for this. */
  public void precededBy(final Precondition needed) {
    durability.precededBy(needed);
  }

  /**
   * The name was there before: the process that made it may have ended before it was durable, or
   * may have failed to make it so.
   *
   * @param unforcedBytes may some of its bytes be in the page cache alone?
   */
  public void found(final boolean unforcedBytes) {
    durability.found(unforcedBytes);
    namesChanged();
  }

  /** Appends from now on count as durable only once the names of their log are. */
  public void namesChanged() {
    precededBy(new Precondition(host, this));
  }

  /** It isn't known which file the name leads to: nothing is written any more. Under the lock. */
  void unclear(final IOException reason) {
    unclear = reason;
  }

  /**
   * Refuses a write or a force whose bytes the name may not lead to.
   *
   * @throws IOException if it isn't known where the name leads
   */
  void refuseUnclear() throws IOException {
    final IOException reason = unclear;
    if (reason != null) {
      throw new IOException(reason.getMessage(), reason);
    }
  }

  /**
   * Prepares an append. A segment that others follow isn't grown ahead: a recovery would take its
   * zeros for the log's end. Under the lock.
   */
  void beforeWrite() {
    unsealed.touch();
    if (!active && file instanceof final MappedSegmentFile mapped) {
      mapped.growAhead(host.endsLog(name));
    }
  }

  /** Counts an append. Under the lock. */
  void written(final long bytes) {
    final SegmentFile now = file;
    lastWriteNanos = time.nanos();
    written = true;
    if (!resized) { // a volatile store costs more than a look
      resized = true;
    }
    final boolean persisted = now.persistsWrites();
    durability.written(persisted);
    counters.appended(bytes, persisted, now.durability());
    if (now.directory == null) {
      counters.homeAppendedBytes.add(bytes);
    } else {
      now.directory.appendedBytes.add(bytes);
      activate(now.directory);
    }
    final TopicCounters.Topic counted = topic;
    if (counted != null) {
      counted.appended(bytes, now.directory);
    }
  }

  /**
   * Physical length becomes logical length, durably; where the device fails to, by moving the
   * segment. Under the lock.
   */
  public void seal() throws IOException {
    cutToEnd(true);
  }

  /**
   * Physical length becomes logical length, because its log goes on in another segment. What that
   * one promises waits for the force ({@code LogChain}). Under the lock.
   *
   * @param durably must the cut be durable before the next one has a name? Else the roll doesn't
   *     wait for it
   */
  public void sealForSuccessor(final boolean durably) throws IOException {
    cutToEnd(false);
    if (durably && !durability.bytesForced(true)) {
      forceCut();
    }
  }

  /** Forces a file that is, or was, authoritative. Any thread. */
  void force(final SegmentFile what, final SegmentDurability.Force force) throws IOException {
    durability.force(force, () -> what == file);
  }

  private void forceCut() throws IOException {
    final SegmentFile now = file;
    try {
      force(now, () -> now.forceHere(now.path()));
    } catch (final DeviceFaultException e) {
      evacuateFrom(now, e);
    }
  }

  /**
   * Sets the times of its file, which neither a later cut may change nor a copy that has begun
   * lose. Under the lock.
   */
  public void setTimes(final FileTimes times) throws IOException {
    cutToEnd(true);
    times.set();
    moves.changed();
  }

  private void cutToEnd(final boolean force) throws IOException {
    try {
      if (file.cutToEnd(force)) {
        durability.cut();
      }
    } catch (final DeviceFaultException e) {
      evacuate(null, e);
    }
    deactivate(file.directory);
  }

  /** True if this process has appended to it lately. */
  boolean isWrittenWithin(final long nanos) {
    return written && time.nanos() - lastWriteNanos <= nanos;
  }

  /** The time of the last append, milliseconds since 1970; negative: none since it was opened. */
  public long lastWriteMs() {
    return written
        ? time.millis() - TimeUnit.NANOSECONDS.toMillis(time.nanos() - lastWriteNanos)
        : -1;
  }

  /**
   * True if a seal would find nothing to do: by a look without the lock. A write that comes at the
   * same time comes after it.
   */
  public boolean isSealed() {
    return !active && !resized && !file.endsBeyond();
  }

  /** True if it was written to or cut since the last call. Under the lock. */
  public boolean takeResized() {
    final boolean was = resized;
    resized = false;
    return was;
  }

  @Override
  public void sealIfIdle(final long idleNanos) {
    if (time.nanos() - lastWriteNanos < idleNanos || !lock.tryLock()) {
      return;
    }
    try {
      cutToEnd(true);
    } catch (final IOException e) {
      PlaceCodes.SPACE_KEPT.log(name, e);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  public void renamed(final Path newName) {
    name = newName;
    file.segmentRenamed(newName);
    moves.changed(); // a copy that was begun by name may be another file's
  }

  /** Its name is gone, or means another file now; open channels go on with the bytes. */
  public void deleted() {
    deleted = true;
  }

  public boolean isDeleted() {
    return deleted;
  }

  /**
   * The engine went around the plug-in: its file may have another name by now, so it isn't ours to
   * delete. If it has none, the next start finds an orphan.
   */
  public void lost() {
    deleted = true;
    lost = true;
  }

  public boolean isLost() {
    return lost;
  }

  /** The engine holds a mapping of the file: it must never be given another use. Under the lock. */
  void userMapped() {
    userMapped = true;
  }

  public boolean isUserMapped() {
    return userMapped;
  }

  /** A channel was opened. Under the partition directory's lock. */
  public void retain(final FileFollower channel) {
    synchronized (channels) {
      if (channels.isEmpty()) {
        topic = topics.opened(name.getParent().getFileName().toString());
      }
      channels.add(channel);
    }
  }

  /** A channel was closed; true if it was the last. Under the partition directory's lock. */
  public boolean release(final FileFollower channel) {
    synchronized (channels) {
      final boolean last = channels.remove(channel) && channels.isEmpty();
      if (last && topic != null) {
        topics.closed(topic);
      }
      return last;
    }
  }

  /** As {@link Evacuation} says. Under the lock. */
  void evacuate(final FileChannel own, final IOException cause) throws IOException {
    refuseUnclear();
    host.evacuate(this, own, cause);
  }

  /** The same where no channel of the engine's has met the failure; not if the file was left. */
  void evacuateFrom(final SegmentFile failed, final IOException cause) throws IOException {
    try (FileChannel own = FileChannel.open(failed.path(), StandardOpenOption.READ)) {
      if (failed == file) {
        evacuate(own, cause);
      }
    }
  }

  /**
   * Its name leads to a whole copy now. Nothing here may fail. Under the lock.
   *
   * @param needed what a durable append waits for from now on
   */
  void become(final SegmentFile copy, final Precondition needed) {
    file = copy;
    durability.movedBy(needed);
  }

  /** The file that was authoritative isn't any more. Under the lock. */
  void left(final SegmentFile from) {
    moves.arrived();
    deactivate(from.directory);
    closeQuietly(from, true);
  }

  /** The open channels; under the lock none is added. */
  FileFollower[] channels() {
    synchronized (channels) {
      return channels.toArray(FileFollower[]::new);
    }
  }

  /** The last channel was closed. Under the lock. */
  public void close() throws IOException {
    deactivate(file.directory);
    if (deleted) {
      closeQuietly(file, !lost);
    } else {
      seal();
    }
  }

  private void activate(final TierDirectory directory) {
    if (!active) {
      active = true;
      directory.activated(this);
    }
  }

  /** True if it was appended to, in a tier, since it was sealed or found. Under the lock. */
  public boolean isActive() {
    return active;
  }

  private void deactivate(final TierDirectory directory) {
    if (active) {
      active = false;
      directory.deactivated(this);
    }
  }

  private static void closeQuietly(final SegmentFile from, final boolean dropped) {
    try {
      if (dropped) {
        from.leave();
      } else {
        from.seal();
      }
    } catch (final IOException e) {
      Events.LOG.info("{}: closing it after its segment had moved failed", from.path(), e);
    }
  }
}
