// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is written home beside one tier file: a prefix of it, and never anything else.
 *
 * <p>The engine's threads say what they did, under the segment's lock: {@link #appended}, {@link
 * #cut}, {@link #seal}. The mirror's thread, or a move that takes the mirror, copies without that
 * lock, under the {@link #turn}. A cut shortens the mirror before anything newer can be appended,
 * and what was being copied meanwhile isn't written.
 */
final class SegmentMirror {
  /** Bytes that are copied at once. */
  static final int CHUNK_BYTES = 1 << 20;

  /** Bytes that are copied at once while there is time. */
  private static final int PIECE_BYTES = 128 << 10;

  /** More was never written without being forced: a power cut spoils no more than so much. */
  static final long UNFORCED_BYTES_MAX = 32L << 20;

  /** Whoever keeps the mirrors of a log directory up. Any thread. */
  interface Rounds {
    /** A mirror is behind. No system call, no allocation. */
    void dirty(SegmentMirror mirror);

    /** A mirror can't be kept, or isn't needed. */
    void drop(SegmentMirror mirror);

    /** Something failed that a later round makes good. */
    void failed(SegmentMirror mirror, IOException e);

    /** Bytes were written home. */
    void copied(long bytes);

    /** The bytes after which what is copied is forced. */
    long stepBytes();

    /** Waits until so much of a mirror is forced; not while home can't. */
    void awaitForced(SegmentMirror mirror, long bytes);

    /** Waits until everything acknowledged up to some time before now is there. */
    void awaitWithin(long limitNanos, long nowNanos);

    /** The log directory. */
    Path logDir();
  }

  /** The segment's name, by which the mirror is found. */
  interface Name {
    /** Returns when a power cut can't take the name back. */
    void awaitDurable() throws IOException;
  }

  /** The next one that was appended to; used by the rounds alone. */
  SegmentMirror next;

  /** True if it is among those that were appended to. */
  volatile boolean queued;

  private final Rounds home;
  private final Path logDir;
  private final long limitNanos;
  private final boolean waits;

  /** Held while it is copied or given another name; taken after the segment's lock. */
  private final ReentrantLock turn = new ReentrantLock();

  /** Bytes that were copied since the last force. Under the turn. */
  private long unforced;

  /** The segment's end as its appends have told it. Written under the segment's lock. */
  private volatile long told;

  private volatile boolean sealed;

  /** True while its file may be called whole. */
  private volatile boolean calledWhole;

  /** Waited for before anything counts as being in it; null: it is durable. */
  private volatile Name name;

  /** So many bytes are in it and forced, and its name too. */
  private volatile long forced;

  /** False: a former process left it, or nothing of it is there; it is still to be caught up. */
  private volatile boolean live;

  /** True if nobody needs it any more, or a move has made it the segment. */
  private volatile boolean gone;

  /** Guarded by this, as is all below. */
  private final MirrorFile file;

  /** Bytes in it. */
  private long position;

  /** Bytes that were in it at the last {@link #mark}, and haven't been cut off since. */
  private long marked;

  /** The number of cuts. */
  private int cuts;

  /** Compared with the tier file up to here; negative: not begun. */
  private long compared = -1;

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
    this.file = file;
    this.limitNanos = limitNanos;
    this.waits = waits;
    logDir = home.logDir();
    told = bytes;
    live = isNew;
  }

  /** The tier file. */
  Path source() {
    return file.source();
  }

  /** The engine has appended. Under the segment's lock; no system call, no allocation. */
  void appended(final long at, final long end) {
    final long before = told;
    if (at < before) {
      cut(at);
    }
    told = Math.max(before, end);
    if (sealed) {
      sealed = false;
    }
    if (calledWhole) {
      goOn();
    }
    home.dirty(this);
  }

  /** A segment that was sealed goes on: before that is acknowledged it isn't called whole. */
  private synchronized void goOn() {
    calledWhole = false;
    try {
      file.open();
    } catch (final IOException e) {
      home.failed(this, e);
      restart();
    }
  }

  /** The engine shortens the segment now, or wrote over its end. Under the segment's lock. */
  void cut(final long size) {
    synchronized (this) {
      cuts++;
      told = Math.min(told, size);
      compared = -1;
      if (position > size || !live) {
        try {
          shorten(size);
        } catch (final IOException e) {
          home.failed(this, e);
          restart();
        }
      }
    }
    home.dirty(this);
  }

  private void shorten(final long size) throws IOException {
    if (!live && file.channel() == null && !file.find()) {
      return;
    }
    file.open();
    file.cutTo(size);
    position = Math.min(position, size);
    marked = Math.min(marked, size);
    forced = Math.min(forced, size);
  }

  /** It can't be trusted any more: what is there is given up, and it begins anew. */
  private void restart() {
    position = 0;
    marked = 0;
    forced = 0;
    compared = -1;
    try {
      file.delete();
    } catch (final IOException e) {
      home.failed(this, e);
    }
  }

  /** Nothing is appended for the time being. Under the segment's lock. */
  void seal(final long bytes) {
    tell(bytes);
    sealed = true;
    home.dirty(this);
  }

  /** The segment's end, whatever its appends have told. Under the segment's lock. */
  void tell(final long bytes) {
    if (bytes < told) {
      cut(bytes);
    }
    told = bytes;
  }

  /** Waits until the loss of the tier would lose no more than it may. Under no lock. */
  void await(final long nowNanos) {
    if (!live || gone) {
      return;
    }
    if (limitNanos == 0) {
      home.awaitForced(this, told);
    } else if (waits) {
      home.awaitWithin(limitNanos, nowNanos);
    }
  }

  /** Bytes that the loss of the tier doesn't lose. Any thread, as are the next four. */
  long forced() {
    return forced;
  }

  boolean live() {
    return live;
  }

  boolean gone() {
    return gone;
  }

  /** True if a move home can take it. */
  boolean usable() {
    return live && !gone;
  }

  /** Bytes of the segment that aren't known to be in it. */
  long behindBytes() {
    return gone ? 0 : Math.max(0, told - forced);
  }

  /**
   * Copies what there is now. By the mirror's thread.
   *
   * @param buffer of {@link #CHUNK_BYTES}
   */
  void copy(final ByteBuffer buffer) throws IOException {
    turn.lock();
    try {
      make();
      copyTo(told, buffer);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Copies a little of what there is now. By the mirror's thread.
   *
   * @param buffer of {@link #CHUNK_BYTES}
   * @return false: there is no more
   */
  boolean copyAhead(final ByteBuffer buffer) throws IOException {
    turn.lock();
    try {
      final long end = Math.min(told, position() + PIECE_BYTES);
      return usable() && copyStep(end, buffer) != 0;
    } finally {
      turn.unlock();
    }
  }

  /** An empty segment has a mirror, too: without one it would be lost. */
  private synchronized void make() throws IOException {
    if (!gone && !file.isWhole()) {
      file.open();
    }
  }

  private void copyTo(final long end, final ByteBuffer buffer) throws IOException {
    while (!gone && copyStep(end, buffer) != 0) {}
  }

  /** As {@link #copyChunk}, forced where enough has come together. */
  private int copyStep(final long end, final ByteBuffer buffer) throws IOException {
    final int copied = copyChunk(end, buffer);
    if (copied > 0) {
      unforced += copied;
      home.copied(copied);
      if (unforced >= home.stepBytes()) {
        force();
      }
    }
    return copied;
  }

  /** Bytes copied; zero: there is no more; negative: the segment was cut meanwhile. */
  private int copyChunk(final long end, final ByteBuffer buffer) throws IOException {
    final int cutsBefore;
    final long at;
    final FileChannel from;
    synchronized (this) {
      final long to = Math.min(end, told);
      if (position >= to) {
        return 0;
      }
      file.open();
      cutsBefore = cuts;
      at = position;
      from = file.from();
      buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
    }
    while (buffer.hasRemaining() && from.read(buffer, at + buffer.position()) > 0) {}
    synchronized (this) {
      if (cutsBefore != cuts || gone) {
        return -1; // it may be a mixture of old and new
      }
      if (buffer.hasRemaining()) {
        throw new IOException(source() + " ends before " + (at + buffer.limit()) + " B");
      }
      buffer.flip();
      file.write(buffer, at);
      position = at + buffer.limit();
    }
    return buffer.limit();
  }

  /** Forces what was copied; what its name is worth is the home's to see to. */
  void force() throws IOException {
    turn.lock();
    try {
      final FileChannel channel;
      synchronized (this) {
        channel = gone ? null : file.channel();
      }
      unforced = 0;
      if (channel != null) {
        force(channel);
      }
    } finally {
      turn.unlock();
    }
  }

  private void force(final FileChannel channel) throws IOException {
    try {
      channel.force(false);
    } catch (final IOException e) {
      synchronized (this) {
        restart(); // nobody knows what the device has of it
      }
      throw new ForceFailedException(source(), e);
    }
  }

  /** A name leads to the tier file, or soon will. Under the segment's lock. */
  void named(final Name needed) {
    name = needed;
  }

  /** Waits until its segment's name is durable. By the mirror's thread. */
  void awaitName() throws IOException {
    final Name needed = name;
    if (needed != null && !gone) {
      needed.awaitDurable();
      name = needed == name ? null : name;
    }
  }

  /** Bytes in it now. */
  synchronized long position() {
    return position;
  }

  /** What is in it now, which is to be {@link #published}. */
  synchronized void mark() {
    marked = position;
  }

  /**
   * What was marked was forced, and its name. What was cut off meanwhile, and copied anew by a
   * move, is another force's.
   */
  synchronized void published() {
    forced = marked;
  }

  /** True if its file's name is new since the last call. */
  synchronized boolean takeMade() {
    return file.takeMade();
  }

  /** Names what is complete as such, and lets its descriptors go. By the mirror's thread. */
  void rest(final boolean keepOpen) throws IOException {
    turn.lock();
    try {
      synchronized (this) {
        if (sealed && usable() && position == told && forced == position) {
          sealed = false;
          calledWhole = true;
          file.finish(position);
        }
        if (gone || file.isWhole() || !keepOpen) {
          file.close();
        }
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
      synchronized (this) {
        if (gone || live) {
          return true;
        }
        if (compared < 0) {
          begin();
        } else if (compared < position) {
          compare(buffer, other);
        }
        if (live || compared < position) {
          return live;
        }
      }
      make();
      copyTo(Math.min(told, position() + home.stepBytes()), buffer);
      mark();
      force();
      if (takeMade()) {
        DirectoryForce.forceNow(logDir);
      }
      synchronized (this) {
        published();
        live = position == told && forced == position;
        return live || gone;
      }
    } finally {
      turn.unlock();
    }
  }

  /** Looks at what a former process left. */
  private void begin() throws IOException {
    compared = 0;
    position = 0;
    if (!file.find()) {
      return;
    }
    if (file.unchanged(told)) {
      position = told;
      forced = told;
      calledWhole = true;
      live = true;
      return;
    }
    file.open();
    file.cutTo(Math.min(told, Files.size(source())));
    position = file.size();
    compared = Math.max(0, position - UNFORCED_BYTES_MAX);
  }

  /** Cuts it where it first differs; where it does at once, all of it is compared. */
  private void compare(final ByteBuffer buffer, final ByteBuffer other) throws IOException {
    final int length = (int) Math.min(buffer.capacity(), position - compared);
    final int differs = file.mismatch(compared, length, buffer, other);
    if (differs < 0) {
      compared += length;
    } else if (compared > 0 && compared == position - UNFORCED_BYTES_MAX) {
      compared = 0;
    } else {
      position = compared + differs;
      compared = position;
      file.cutTo(position);
    }
  }

  /**
   * Copies and forces what there is, for a move that makes the mirror the segment.
   *
   * @return bytes that were copied
   */
  long complete(final ByteBuffer buffer) throws IOException {
    turn.lock();
    try {
      final long before = position();
      copyTo(told, buffer);
      force();
      return Math.max(0, position() - before);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Reads it again and compares it with its source.
   *
   * @throws IOException if they differ
   */
  void readBack(final ByteBuffer buffer, final ByteBuffer other) throws IOException {
    turn.lock();
    try {
      synchronized (this) {
        file.openToRead();
        for (long at = 0; at < position; at += buffer.limit()) {
          final int length = (int) Math.min(buffer.capacity(), position - at);
          if (file.mismatch(at, length, buffer, other) >= 0 || buffer.limit() < length) {
            throw new IOException(
                file.path() + ": the mirror reads back with other bytes after " + at);
          }
        }
      }
    } finally {
      turn.unlock();
    }
  }

  /**
   * The file that was the segment at home until now goes on as its mirror, by a second name. The
   * next round forces it. Under the segment's lock, before the first name leads into the tier.
   * Where the file system can't, it is copied; of an empty one there is nothing to copy.
   */
  void adopt(final Path atHome, final long bytes) throws IOException {
    turn.lock();
    try {
      synchronized (this) {
        if (live || file.channel() != null || !file.link(atHome) && bytes > 0) {
          return;
        }
        position = bytes;
        told = bytes;
        sealed = true;
        live = true;
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
  Path ready(final long bytes) throws IOException {
    turn.lock();
    boolean done = false;
    try {
      synchronized (this) {
        if (!usable() || position != bytes) {
          throw new IOException(file.path() + ": has " + position + " B, not " + bytes + " B");
        }
        file.settle(bytes);
        done = true;
        return file.path();
      }
    } finally {
      if (!done) {
        turn.unlock();
      }
    }
  }

  /** The name leads to it, or may: it is no mirror any more. Ends what {@link #ready} began. */
  void taken() {
    synchronized (this) {
      gone = true;
      file.close();
    }
    turn.unlock();
  }

  /** It stays what it is. Ends what {@link #ready} began. */
  void kept() {
    turn.unlock();
  }

  /** It can't be kept up. Any thread. */
  void abandon() {
    home.drop(this);
  }

  /** Nobody needs it any more: its segment is gone, or lies elsewhere. By the mirror's thread. */
  void drop() throws IOException {
    turn.lock();
    try {
      synchronized (this) {
        if (!gone) {
          gone = true;
          file.delete();
        }
      }
    } finally {
      turn.unlock();
    }
  }

  /** True if a failure means that its segment's file isn't there any more. */
  boolean sourceGone(final IOException e) {
    return e instanceof NoSuchFileException missing
        && source().toString().equals(missing.getFile());
  }
}
