// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Channel that BookKeeper's journal writes a new file through, as a {@link FileChannel}.
 *
 * <p><b>A group of records is there whole or not at all</b>, whatever the writes are that make it
 * up, and wherever a kill, an error or, where a store is durable, a power cut falls. Behind the
 * last group is the length zero, or the file's end, which ends a scan by any provider. A group's
 * bytes are stored but for its head, see {@link GroupHead}; then zeros behind them; then the head,
 * the length of the first record last. So it doesn't matter what stands behind the zeros, which in
 * a reused file can be old records. Where nothing but zeros can stand there, they aren't stored.
 *
 * <p>On a disk a power cut keeps any sectors of what wasn't forced, so a group can be there in
 * part. There {@link GroupChecks} lets a start see it, and the start drops it: {@link WholeGroups}.
 *
 * <p><b>A force</b> covers the files of the directory that are older, and is the last one if it
 * fails: {@link JournalForces}.
 *
 * <p><b>Threads.</b> The journal thread writes, the force-write thread forces and closes.
 *
 * <p><b>Errors</b> name the file, the cause and the remedy; after one, BookKeeper shuts the bookie
 * down, and what was acknowledged is in the file.
 */
abstract class JournalFileChannel extends NarrowFileChannel implements JournalForces.Forced {
  private final JournalHost directory;
  private final JournalForces forces;
  private final boolean zeroBehind;
  private long position;
  private long end;
  private GroupChecks checks;
  private final RecordTrail trail;
  private GroupHead group;
  private boolean failed;
  private boolean named;

  private final Object forcing = new Object();

  /** Stores that need a force, by the journal thread alone. */
  private volatile long stores;

  /** Number of stores that were forced. */
  private volatile long forcedStores;

  /** A force began and hasn't ended well. */
  private boolean forceUnfinished;

  /** True once there is more than the header, if only an empty flush: its force acknowledges. */
  private volatile boolean recorded;

  /**
   * A file that is written from its first byte on.
   *
   * @param zeroBehind does every byte that wasn't written yet read as zero?
   * @param checks what a start checks groups by; null: no group can be there in part, or the format
   *     has no room for it
   */
  JournalFileChannel(Path file, boolean zeroBehind, GroupChecks checks, JournalHost directory) {
    super(file);
    this.zeroBehind = zeroBehind;
    this.checks = checks;
    this.trail = checks == null ? new RecordTrail() : new RecordTrail(HeaderGroups.BYTES);
    this.directory = directory;
    this.forces = directory.forces();
  }

  /** Stores all of the source at a position. */
  abstract void store(ByteBuffer source, long at) throws IOException;

  /** Stores a group's head in two parts, its length last. */
  final void storeLengthLast(GroupHead group) throws IOException {
    ByteBuffer head = group.head();
    int length = RecordTrail.LENGTH_BYTES;
    store(head.position(length), group.start() + length);
    store(head.limit(length).position(0), group.start());
  }

  /**
   * Stores the rest of a group, then its terminator behind it, then its head at its start, whose
   * length comes last. No store is found without those before it after this process's death and,
   * where a store is durable, after a power cut.
   *
   * @param terminator zeros; none where they are there already
   */
  abstract void finish(ByteBuffer rest, long at, ByteBuffer terminator, GroupHead group)
      throws IOException;

  /** Needs what was stored no force, as far as the device is durable? */
  abstract boolean durableAtReturn();

  /** Has the file room at the position, without a preallocation? */
  abstract boolean allocated(long at) throws IOException;

  /** Makes what was stored durable, as far as the device can. */
  abstract void persist(boolean metadata) throws IOException;

  /**
   * A descriptor by which BookKeeper drops pages from the page cache; of no file where there are
   * none to drop.
   */
  FileDescriptor descriptor() {
    return new FileDescriptor();
  }

  /** Gives everything back. */
  abstract void closeFile() throws IOException;

  @Override
  public final synchronized int write(ByteBuffer source) throws IOException {
    int length = source.remaining();
    long from = System.nanoTime();
    if (failed) {
      throw directory.failure(file(), new IOException("an earlier write to it failed"));
    }
    forces.refuseAfterFailure();
    failed = true;
    try {
      if (group == null) {
        header(source);
      } else {
        records(source);
      }
    } catch (IOException e) {
      throw directory.failure(file(), e);
    }
    failed = false;
    position += length;
    stored(position);
    directory.written(length, System.nanoTime() - from);
    return length;
  }

  /** After the store: a force that runs beside it mustn't take it for one that it covers. */
  private void stored(long to) {
    assert Thread.holdsLock(this);
    end = Math.max(end, to);
    if (!durableAtReturn()) {
      stores++;
    }
  }

  private void header(ByteBuffer source) throws IOException {
    group = new GroupHead(position + source.remaining());
    if (group.start() != HeaderGroups.BYTES) {
      checks = null; // of no format that has room for them
    }
    store(checks == null ? source : GroupChecks.stamped(source), position);
    source.position(source.limit());
    store(terminator(), group.start());
  }

  private ByteBuffer terminator() {
    ByteBuffer zeros = group.terminator();
    return zeroBehind ? zeros.limit(0) : zeros;
  }

  private void records(ByteBuffer source) throws IOException {
    if (!recorded) {
      recorded = true;
    }
    if (!source.hasRemaining()) {
      return; // BookKeeper flushes its buffer, and it is empty
    }
    trail.follow(source);
    long end = position + source.remaining();
    long at = group.take(source, position);
    if (!trail.whole()) {
      store(source, at);
      return;
    }
    if (checks != null) {
      store(source, at);
      at = end;
      check(end);
    }
    finish(source, at, terminator(), group);
    group.next(end);
    if (checks != null) {
      trail.begin(end);
      checks.whole(end);
    }
  }

  /** Lets a start see that the group is whole, which ends there: all is stored but its head. */
  private void check(long end) throws IOException {
    if (trail.lost()) { // a newer BookKeeper's record: a start takes what it finds
      store(HeaderGroups.noStamp(), HeaderGroups.STAMP_AT);
      return;
    }
    if (trail.room() >= GroupTrailer.BYTES) {
      ByteBuffer trailer = checks.trailer(trail, group.start(), end);
      group.replace(trailer, end - GroupTrailer.BYTES);
      if (trailer.hasRemaining()) {
        store(trailer, end - trailer.remaining());
      }
      return;
    }
    if (checks.headerFull()) {
      forceThis(false);
    }
    ByteBuffer header = checks.nextHeader(trail, group.start(), end);
    store(header, checks.headerAt());
  }

  /**
   * BookKeeper's preallocation: a sector of zeros far behind the end. A file that has room there is
   * left alone. So are records: a preallocation comes on by one step with each record, and behind
   * one that is longer than a step it falls into what is written.
   */
  @Override
  public final synchronized int write(ByteBuffer source, long at) throws IOException {
    int length = source.remaining();
    boolean preallocation = zero(source);
    if (preallocation && (at < end || allocated(at))) {
      source.position(source.limit());
      return length;
    }
    forces.refuseAfterFailure();
    try {
      store(source, at);
    } catch (IOException e) {
      throw directory.failure(file(), e);
    }
    if (!preallocation) {
      stored(at + length);
    }
    return length;
  }

  private static boolean zero(ByteBuffer source) {
    for (int i = source.position(); i < source.limit(); i++) {
      if (source.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * With metadata, as the journal calls it once, after the header: the file's name becomes durable
   * too, before anything in it is acknowledged. A header acknowledges nothing, so its force doesn't
   * wait for older files.
   */
  @Override
  public final void force(boolean metadata) throws IOException {
    long from = System.nanoTime();
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    if (recorded) {
      forces.before(this);
    }
    forceThis(metadata);
    directory.forced(System.nanoTime() - from);
  }

  @Override
  public final void forceContent() throws IOException {
    forceThis(false);
  }

  private void forceThis(boolean metadata) throws IOException {
    synchronized (forcing) { // the second of two must not return before the first is done
      if (forceUnfinished) {
        forces.failed(file(), "an earlier force of it ended in the middle");
      }
      forces.refuseAfterFailure();
      long upTo = stores;
      long whole = checks == null ? 0 : checks.whole();
      assert upTo >= forcedStores;
      if (upTo == forcedStores && !metadata) {
        return;
      }
      forceUnfinished = true;
      try {
        persist(metadata);
        if (metadata) {
          forceName();
        }
      } catch (IOException e) {
        forces.failed(file(), e);
        throw directory.failure(file(), e);
      } catch (RuntimeException | Error e) {
        forces.failed(file(), e);
        throw e;
      }
      forceUnfinished = false;
      forcedStores = upTo;
      if (checks != null) {
        checks.forced(whole);
      }
    }
  }

  private void forceName() throws IOException {
    assert Thread.holdsLock(forcing);
    if (!named) {
      directory.forceNames();
      named = true;
    }
  }

  @Override
  public final synchronized long position() {
    return position;
  }

  @Override
  public final synchronized FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public final synchronized long size() {
    return end;
  }

  @Override
  protected final synchronized void implCloseChannel() throws IOException {
    try {
      if (stores != forcedStores) {
        // A force that waits for its turn can't cover it any more.
        forces.failed(file(), "it was closed before it was forced");
      }
      closeFile();
    } catch (IOException e) {
      forces.failed(file(), e); // BookKeeper logs it, and goes on in the next file
      throw directory.failure(file(), e);
    } finally {
      forces.closed(this);
    }
  }
}
