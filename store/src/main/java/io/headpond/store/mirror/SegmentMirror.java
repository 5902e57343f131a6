// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The copy at home of one tier file: a prefix of it, and never anything else.
 *
 * <p>The engine's threads say what they did, under the segment's lock: {@link #appended}, {@link
 * #cut}, {@link #seal}. The mirror's thread, or a move that takes the mirror, copies without that
 * lock, under the {@link #turn}. A cut shortens the mirror before anything newer can be appended,
 * and what was being copied meanwhile isn't written. The bytes are a {@link MirrorCopy}; here is
 * who may work at them, what appends wait for, and what becomes of the file.
 */
public final class SegmentMirror {
  /** Whoever keeps the mirrors of a log directory up. Any thread. */
  interface Rounds extends MirrorCopy.Home {
    /** A mirror is behind. No system call, no allocation. */
    void dirty(SegmentMirror mirror);

    /** A mirror isn't needed. */
    void drop(SegmentMirror mirror);

    /** A mirror can't be kept up, and its segment goes on without. */
    void giveUp(SegmentMirror mirror);

    /** Waits until so much of a mirror is forced; not while home can't. */
    void awaitForced(SegmentMirror mirror, long bytes) throws UnmirroredException;

    /** Waits until everything acknowledged up to some time before now is there. */
    void awaitWithin(SegmentMirror mirror, long limitNanos, long nowNanos)
        throws UnmirroredException;
  }

  /** The segment's name, by which the mirror is found. */
  public interface Name {
    /** Returns when a power cut can't take the name back. */
    void awaitDurable() throws IOException;

    /** The name now; null: the segment is deleted. */
    Path path();
  }

  /** The next one that was appended to; used by {@link DirtyMirrors} alone, as is the next. */
  SegmentMirror next;

  /** True if it is among those that were appended to. */
  volatile boolean queued;

  private final Rounds home;
  private final MirrorCopy copy;
  private final long limitNanos;
  private final boolean waits;

  /** Held while it is copied or given another name; taken after the segment's lock. */
  private final ReentrantLock turn = new ReentrantLock();

  private volatile boolean sealed;

  /** Its segment's; null: not known yet. */
  private volatile Name named;

  /** Waited for before anything counts as being in it; null: it is durable. */
  private final AtomicReference<Name> name = new AtomicReference<>();

  /**
   * The mirror of a tier file.
   *
   * @param bytes of the segment now
   * @param isNew is it sure that nothing of it was ever mirrored?
   */
  SegmentMirror(
      final Rounds home,
      final MirrorFile file,
      final long limitNanos,
      final boolean waits,
      final long bytes,
      final boolean isNew) {
    this.home = home;
    this.limitNanos = limitNanos;
    this.waits = waits;
    copy = new MirrorCopy(home, file, bytes, isNew);
  }

  /** The tier file. */
  Path source() {
    return copy.source();
  }

  /** The engine has appended. Under the segment's lock; no system call, no allocation. */
  public void appended(final long at, final long end) {
    final long before = copy.told();
    if (at < before) {
      cut(at);
    }
    copy.tell(Math.max(before, end));
    if (sealed) {
      sealed = false;
    }
    if (copy.calledWhole()) {
      copy.goOn();
    }
    home.dirty(this);
  }

  /** The engine shortens the segment now, or wrote over its end. Under the segment's lock. */
  public void cut(final long size) {
    copy.cut(size);
    home.dirty(this);
  }

  /** Nothing is appended for the time being. Under the segment's lock. */
  public void seal(final long bytes) {
    tell(bytes);
    sealed = true;
    home.dirty(this);
  }

  /** The segment's end, whatever its appends have told. Under the segment's lock. */
  public void tell(final long bytes) {
    if (bytes < copy.told()) {
      cut(bytes);
    }
    copy.tell(bytes);
  }

  /**
   * Waits until the loss of the tier would lose no more than it may. Under no lock.
   *
   * @throws UnmirroredException if it would, because the tier can't be read
   */
  public void await(final long nowNanos) throws UnmirroredException {
    if (!usable()) {
      return;
    }
    if (limitNanos == 0) {
      home.awaitForced(this, copy.told());
    } else if (waits) {
      home.awaitWithin(this, limitNanos, nowNanos);
    }
  }

  /** The segment's end as it is known. Any thread, as are the next five. */
  public long told() {
    return copy.told();
  }

  /** Bytes that the loss of the tier doesn't lose. */
  public long forced() {
    return copy.forced();
  }

  boolean live() {
    return copy.live();
  }

  boolean gone() {
    return copy.gone();
  }

  /** True if a move home can take it. */
  public boolean usable() {
    return copy.usable();
  }

  /**
   * Bytes that a move home must still copy into it. Under the segment's lock.
   *
   * @param bytes of the segment
   * @return negative: it can't be taken for the segment
   */
  public long restBytes(final long bytes) {
    return usable() && copy.told() <= bytes ? Math.max(0, bytes - copy.position()) : -1;
  }

  /** Bytes of the segment that aren't known to be in it. */
  public long behindBytes() {
    return gone() ? 0 : Math.max(0, copy.told() - copy.forced());
  }

  /**
   * Copies what there is now. By the mirror's thread.
   *
   * @param buffer of {@link MirrorCopy#CHUNK_BYTES}
   */
  void copy(final ByteBuffer buffer) throws IOException {
    turn.lock();
    try {
      copy.make();
      copy.copyAll(buffer);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Copies a little of what there is now. By the mirror's thread.
   *
   * @param buffer of {@link MirrorCopy#CHUNK_BYTES}
   * @return false: there is no more
   */
  boolean copyAhead(final ByteBuffer buffer) throws IOException {
    turn.lock();
    try {
      return copy.copyPiece(buffer);
    } finally {
      turn.unlock();
    }
  }

  /** Forces what was copied; what its name is worth is the home's to see to. */
  void force() throws IOException {
    turn.lock();
    try {
      copy.force();
    } finally {
      turn.unlock();
    }
  }

  /** A name leads to the tier file, or soon will. Under the segment's lock. */
  public void named(final Name needed) {
    named = needed;
    name.set(needed);
  }

  /** Is its segment one before another's in the same log? */
  boolean precedes(final SegmentMirror other) {
    final Path mine = path();
    final Path later = other.path();
    return mine != null
        && later != null
        && mine.getParent().equals(later.getParent())
        && isOfLog(mine)
        && isOfLog(later)
        && mine.compareTo(later) < 0;
  }

  private Path path() {
    final Name now = named;
    return now == null ? null : now.path();
  }

  private static boolean isOfLog(final Path segment) {
    return SegmentName.isPlain(segment.getFileName().toString());
  }

  /** Waits until its segment's name is durable. By the mirror's thread. */
  void awaitName() throws IOException {
    for (Name needed = name.get(); needed != null && !gone(); needed = name.get()) {
      needed.awaitDurable();
      name.compareAndSet(needed, null);
    }
  }

  /** Bytes in it now. */
  public long position() {
    return copy.position();
  }

  /** Marks its present content, which is to be {@link #published}. */
  void mark() {
    copy.mark();
  }

  /** The marked content was forced, and its name. */
  void published() {
    copy.published();
  }

  /** True if its file's name isn't known to be durable. */
  boolean isNameUnforced() {
    return copy.isNameUnforced();
  }

  /** Names what is complete as such, and lets its descriptors go. By the mirror's thread. */
  void rest(final boolean keepOpen) throws IOException {
    turn.lock();
    try {
      synchronized (copy) {
        if (sealed && copy.isWhole()) {
          sealed = false;
          copy.finish();
        }
        copy.rest(keepOpen);
      }
    } finally {
      turn.unlock();
    }
  }

  /**
   * One step of bringing it up to its segment after a start.
   *
   * @return true if it is
   */
  boolean catchUp(final ByteBuffer buffer, final ByteBuffer other) throws IOException {
    turn.lock();
    try {
      return copy.catchUp(buffer, other);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Copies and forces what there is, for a move that makes the mirror the segment.
   *
   * @return bytes that were copied
   */
  public long complete(final ByteBuffer buffer) throws IOException {
    boolean done = false;
    turn.lock();
    try {
      final long before = position();
      copy.copyAll(buffer);
      copy.force();
      done = true;
      return Math.max(0, position() - before);
    } finally {
      if (!done) {
        copy.rest(false); // an interrupt may have closed them
      }
      turn.unlock();
      if (!done) {
        home.dirty(this); // it may have to be written anew, and no append may come
      }
    }
  }

  /** Its number of cuts. Under the segment's lock. */
  public int cuts() {
    return copy.cuts();
  }

  /**
   * Takes the segment's last bytes as they were appended, because its file doesn't give them back.
   * Under the segment's lock.
   *
   * @param cutsThen its number of cuts after that append
   * @return false: it lacks others too
   */
  public boolean supply(final ByteBuffer appended, final long at, final int cutsThen)
      throws IOException {
    turn.lock();
    try {
      return copy.supply(appended, at, cutsThen);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Reads it again and compares it with its source.
   *
   * @throws IOException if they differ
   */
  public void readBack(final ByteBuffer buffer, final ByteBuffer other) throws IOException {
    turn.lock();
    try {
      copy.readBack(buffer, other);
    } catch (final IOException e) {
      home.dirty(this);
      throw e;
    } finally {
      turn.unlock();
    }
  }

  /**
   * The file that was the segment at home until now goes on as its mirror, by a second name. The
   * next round forces it. Under the segment's lock, before the first name leads into the tier.
   * Where the file system can't, it is copied; of an empty one there is nothing to copy.
   */
  public void adopt(final Path atHome, final long bytes) throws IOException {
    turn.lock();
    try {
      synchronized (copy) {
        if (!copy.adopt(atHome, bytes)) {
          return;
        }
        sealed = true;
      }
    } finally {
      turn.unlock();
    }
    home.dirty(this);
  }

  /**
   * It is to become the segment's own file: gives it the source's attributes, all forced. Under the
   * segment's lock, after {@link #complete}; {@link #taken} or {@link #kept} follows.
   *
   * @param bytes of the segment
   */
  public Path ready(final long bytes) throws IOException {
    turn.lock();
    boolean done = false;
    try {
      final Path file = copy.settle(bytes);
      done = true;
      return file;
    } finally {
      if (!done) {
        turn.unlock();
      }
    }
  }

  /** The name leads to it, or may: it is no mirror any more. Ends what {@link #ready} began. */
  public void taken() {
    copy.taken();
    turn.unlock();
  }

  /** It stays what it is. Ends what {@link #ready} began. */
  public void kept() {
    turn.unlock();
  }

  /** Nobody needs it: the move that it was made for has failed. Any thread. */
  public void abandon() {
    home.drop(this);
  }

  /** It can't be kept up any more; its segment goes on without. Any thread. */
  public void giveUp() {
    home.giveUp(this);
  }

  /** Nobody needs it any more: its segment is gone, or lies elsewhere. By the mirror's thread. */
  void drop() throws IOException {
    turn.lock();
    try {
      copy.drop();
    } finally {
      turn.unlock();
    }
  }

  /** A failure, if it is that of its segment's file, not home's; else null. */
  FileSystemException sourceFailure(final IOException e) {
    return e instanceof FileSystemException failed && source().toString().equals(failed.getFile())
        ? failed
        : null;
  }
}
