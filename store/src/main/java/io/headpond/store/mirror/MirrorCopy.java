// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.store.layout.ForceFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The bytes of one tier file that are in its mirror: a prefix, by how far it is copied, forced and,
 * after a start, compared.
 *
 * <p>One thread copies at a time, under the mirror's turn; the engine's threads cut at any time,
 * under the segment's lock. The monitor guards the file and where the prefix ends, and isn't held
 * while the tier is read: what was cut meanwhile isn't written. {@link SegmentMirror} takes it
 * where several calls belong together.
 */
final class MirrorCopy {
  /** Bytes that are copied at once. */
  static final int CHUNK_BYTES = 1 << 20;

  /** Bytes that are copied at once while there is time. */
  private static final int PIECE_BYTES = 128 << 10;

  /** More was never written without being forced: a power cut spoils no more than so much. */
  static final long UNFORCED_BYTES_MAX = 32L << 20;

  /** The log directory that a copy lies in. Any thread. */
  interface Home {
    /** Something failed at the mirror of a tier file that a later round makes good. */
    void failed(Path tierFile, IOException e);

    /** Bytes were written home. */
    void copied(long bytes);

    /** The bytes after which what is copied is forced. */
    long stepBytes();

    /** Makes the names of its mirrors durable. */
    void forceNames() throws IOException;
  }

  private final Home home;

  /** Bytes that were copied since the last force. Under the turn. */
  private long unforced;

  /** The segment's end as its appends have told it. Written under the segment's lock. */
  private volatile long told;

  /** True while its file may be called whole. */
  private volatile boolean calledWhole;

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

  /** So far it was written: a write that failed may have left bytes behind the position. */
  private long reached;

  /** Bytes that were in it at the last {@link #mark}, and haven't been cut off since. */
  private long marked;

  /** Number of the file's renames at that mark. */
  private int markedNames;

  /** The number of cuts. Written under the segment's lock too, and read under either. */
  private int cuts;

  /** Compared with the tier file up to here; negative: not begun. */
  private long compared = -1;

  /**
   * The copy of a tier file.
   *
   * @param bytes of the segment now
   * @param isNew is it sure that nothing of it was ever mirrored?
   */
  MirrorCopy(final Home home, final MirrorFile file, final long bytes, final boolean isNew) {
    this.home = home;
    this.file = file;
    told = bytes;
    live = isNew;
  }

  /** The tier file. */
  Path source() {
    return file.source();
  }

  /** The segment's end as it is known. Any thread, as are the next five. */
  long told() {
    return told;
  }

  /** Bytes that the loss of the tier doesn't lose. */
  long forced() {
    return forced;
  }

  boolean live() {
    return live;
  }

  boolean gone() {
    return gone;
  }

  boolean usable() {
    return live && !gone;
  }

  boolean calledWhole() {
    return calledWhole;
  }

  /** The segment's end, to which nothing is cut. Under the segment's lock; no system call. */
  void tell(final long bytes) {
    told = bytes;
  }

  /** The number of cuts. Under the segment's lock. */
  int cuts() {
    return cuts;
  }

  /** A segment that was sealed goes on: before that is acknowledged it isn't called whole. */
  synchronized void goOn() {
    calledWhole = false;
    try {
      file.callLagging();
    } catch (final IOException e) {
      home.failed(source(), e);
      restart();
    }
  }

  /**
   * The segment is shortened, or its end was written over. Under the segment's lock, before the
   * tier file is cut: a mirror that is longer than that is the one that has lost nothing.
   */
  synchronized void cut(final long size) {
    cuts++;
    told = Math.min(told, size);
    compared = -1;
    if (Math.max(position, reached) > size || !live) {
      try {
        shorten(size);
      } catch (final IOException e) {
        home.failed(source(), e);
        restart();
        forceGone();
      }
    }
  }

  /** A power cut mustn't bring back what was to be cut. */
  private void forceGone() {
    try {
      home.forceNames();
    } catch (final IOException e) {
      home.failed(source(), e);
    }
  }

  private void shorten(final long size) throws IOException {
    if (!live && file.channel() == null && !file.find()) {
      return;
    }
    file.openToChange();
    if (file.cutTo(size)) {
      file.channel().force(false);
    }
    reached = Math.min(reached, size);
    position = Math.min(position, size);
    marked = Math.min(marked, size);
    forced = Math.min(forced, size);
  }

  /** It can't be trusted any more: what is there is given up, and it begins anew. */
  private void restart() {
    position = 0;
    reached = 0;
    marked = 0;
    forced = 0;
    compared = -1;
    try {
      file.delete();
    } catch (final IOException e) {
      home.failed(source(), e);
    }
  }

  /**
   * What was copied isn't there any more, because other hands cut or deleted it: bytes behind it
   * would be behind zeros, or in a file without a name.
   */
  private void refuseHole() throws IOException {
    if (file.size() < position || !file.isThere()) {
      final String what = file.path() + ": the mirror has lost bytes";
      restart();
      throw new IOException(what + ", and is written anew");
    }
  }

  /** An empty segment has a mirror, too: without one it would be lost. */
  synchronized void make() throws IOException {
    if (!gone && !file.isWhole()) {
      file.open();
    }
  }

  /** Copies all that there is now. Under the turn, as are the next two. */
  void copyAll(final ByteBuffer buffer) throws IOException {
    copyTo(told, buffer);
  }

  /** Copies a little of what there is now; false: there is no more. */
  boolean copyPiece(final ByteBuffer buffer) throws IOException {
    final long end = Math.min(told, position() + PIECE_BYTES);
    return usable() && copyStep(end, buffer) != 0;
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
      refuseHole();
      cutsBefore = cuts;
      at = position;
      from = file.from();
      buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
    }
    try {
      while (buffer.hasRemaining() && from.read(buffer, at + buffer.position()) > 0) {}
    } catch (final IOException e) {
      throw file.ofSource(e);
    }
    synchronized (this) {
      if (cutsBefore != cuts || gone) {
        return -1; // it may be a mixture of old and new
      }
      if (buffer.hasRemaining()) {
        throw new FileSystemException(
            source().toString(), null, "ends before " + (at + buffer.limit()) + " B");
      }
      buffer.flip();
      reached = Math.max(reached, at + buffer.limit());
      file.write(buffer, at);
      position = at + buffer.limit();
    }
    return buffer.limit();
  }

  /** As {@link SegmentMirror#supply}. Under the turn and the segment's lock. */
  synchronized boolean supply(final ByteBuffer appended, final long at, final int cutsThen)
      throws IOException {
    final long end = at + appended.remaining();
    if (usable() && cuts == cutsThen && position >= at && position < end) {
      file.openToChange();
      refuseHole();
      final long from = position;
      reached = Math.max(reached, end);
      file.write(appended.slice(appended.position() + (int) (from - at), (int) (end - from)), from);
      position = end;
      unforced += end - from;
      home.copied(end - from);
    }
    return usable() && position == told;
  }

  /** Forces what was copied. Under the turn. */
  void force() throws IOException {
    final FileChannel channel;
    synchronized (this) {
      if (!gone && position > forced && file.channel() == null) {
        file.openToChange(); // after a round that failed
        refuseHole();
      }
      channel = gone ? null : file.channel();
    }
    unforced = 0;
    if (channel != null) {
      force(channel);
    }
  }

  private void force(final FileChannel channel) throws IOException {
    try {
      channel.force(false);
    } catch (final IOException e) {
      final Path mirror;
      synchronized (this) {
        mirror = file.path();
        restart(); // nobody knows what the device has of it
      }
      throw new ForceFailedException(mirror, e);
    }
  }

  /** Bytes in it now. */
  synchronized long position() {
    return position;
  }

  /** Marks its present content, which is to be {@link #published}. */
  synchronized void mark() {
    marked = position;
    markedNames = file.names();
  }

  /**
   * What was marked was forced, and its name. What was cut off meanwhile, and copied anew by a
   * move, is another force's.
   */
  synchronized void published() {
    forced = marked;
    file.nameForced(markedNames);
  }

  /** True if its file's name isn't known to be durable. */
  synchronized boolean isNameUnforced() {
    return file.isNameUnforced();
  }

  /** True if all of the segment is in it, durably. */
  synchronized boolean isWhole() {
    return usable() && position == told && forced == position;
  }

  /** Calls it whole, which it is. Under the turn and the monitor. */
  void finish() throws IOException {
    calledWhole = true;
    file.finish(position);
  }

  /** Lets its descriptors go, where nothing more is expected or they aren't to be kept. */
  synchronized void rest(final boolean keepOpen) {
    if (gone || file.isWhole() || !keepOpen) {
      file.close();
    }
  }

  /**
   * One step of bringing it up to its segment after a start. Under the turn.
   *
   * @return true if it is
   */
  boolean catchUp(final ByteBuffer buffer, final ByteBuffer other) throws IOException {
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
    if (isNameUnforced()) {
      home.forceNames();
    }
    synchronized (this) {
      published();
      live = position == told && forced == position;
      return live || gone;
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
    file.open(); // again, after a step that failed
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
   * Reads it again and compares it with its source. Under the turn.
   *
   * @throws IOException if they differ; it begins anew then
   */
  synchronized void readBack(final ByteBuffer buffer, final ByteBuffer other) throws IOException {
    file.openToRead();
    for (long at = 0; at < position; at += buffer.limit()) {
      final int length = (int) Math.min(buffer.capacity(), position - at);
      if (file.mismatch(at, length, buffer, other) >= 0 || buffer.limit() < length) {
        final String what = file.path() + ": the mirror reads back with other bytes after " + at;
        restart(); // or nobody could ever take it
        throw new IOException(what + ", and is written anew");
      }
    }
  }

  /**
   * The file that was the segment at home until now becomes it, by a second name. Under the turn.
   *
   * @return false: it can't be, or there is a copy already
   */
  synchronized boolean adopt(final Path atHome, final long bytes) throws IOException {
    if (live || file.channel() != null || !file.link(atHome) && bytes > 0) {
      return false;
    }
    position = bytes;
    told = bytes;
    live = true;
    return true;
  }

  /**
   * Gives it the source's attributes, all forced. Under the turn.
   *
   * @param bytes of the segment
   * @throws IOException if it hasn't exactly these
   */
  synchronized Path settle(final long bytes) throws IOException {
    if (!usable() || position != bytes) {
      throw new IOException(file.path() + ": has " + position + " B, not " + bytes + " B");
    }
    file.settle(bytes);
    return file.path();
  }

  /** It is the segment now, and no copy any more. Under the turn, as is the next. */
  synchronized void taken() {
    gone = true;
    file.close();
  }

  /** Deletes it, unless it is gone. */
  synchronized void drop() throws IOException {
    if (!gone) {
      gone = true;
      file.delete();
    }
  }
}
