// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * Tells which groups of a journal are whole, by what {@link GroupChecks} wrote with them. The
 * journal ends before the first one that isn't, if it may be one that lost power cut short: such a
 * group and what follows it weren't acknowledged. If a later group knew it to be durable, or all
 * sectors of it were stored, the device is to blame: the records are replayed as they are, as
 * BookKeeper does, and where there is no record any more, the replay goes on with the next group
 * that is whole.
 *
 * <p>The thread that replays, or that checks what a replay would find.
 */
public final class WholeGroups {
  private static final int WINDOW_BYTES = 256 << 10;

  /** Where the length zero ends the journal, so much behind it is searched for later groups. */
  private static final int SEARCHED_BYTES = 16 << 20;

  /** Reads from a position of the file, as {@link java.nio.channels.FileChannel} does. */
  public interface Source {
    /** Returns the number of bytes that were read; 0 or less at the file's end. */
    int read(ByteBuffer target, long at) throws IOException;
  }

  /** Receives the places of groups that aren't whole. */
  public interface Faults {
    /** The journal ends at the position, before a group that may have been stored in part only. */
    void torn(long position);

    /** The bytes between the two positions were stored whole, and have changed since. */
    void damaged(long position, long upTo);
  }

  private final Source source;
  private final Faults faults;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private HeaderGroups.Found header;
  private long windowAt;

  /** Groups before it are whole, or were durable. */
  private long accepted;

  /** End of the last group that was found whole. */
  private long checked;

  /** Damage before it was told. */
  private long told;

  private boolean ended;
  private boolean torn;

  private WholeGroups(Source source, HeaderGroups.Found header, Faults faults) {
    this.source = source;
    this.faults = faults;
    this.header = header;
    this.accepted = header.forced();
  }

  /** The groups of a journal; null if the journal was written without checks. */
  public static WholeGroups of(Source source, Faults faults) throws IOException {
    HeaderGroups.Found header = header(source);
    return header == null ? null : new WholeGroups(source, header, faults);
  }

  private static HeaderGroups.Found header(Source source) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HeaderGroups.BYTES);
    while (bytes.hasRemaining() && source.read(bytes, bytes.position()) > 0) {}
    return HeaderGroups.read(bytes.flip());
  }

  /**
   * Somebody may read a journal that is being written: its header knows a group before its head.
   */
  private boolean headerChanged() throws IOException {
    HeaderGroups.Found now = header(source);
    if (now == null || now.equals(header)) {
      return false;
    }
    header = now;
    accepted = Math.max(accepted, now.forced());
    window.limit(0);
    return true;
  }

  /**
   * The record that is to be replayed next. Positions are asked for in ascending order.
   *
   * @param position the first one is a group's begin; later ones are ends of records
   * @return where it begins: there, or behind damage; negative: the journal ends
   */
  public long next(long position) throws IOException {
    long at = position;
    while (reached(at)) {
      if (at < checked || recorded(at)) {
        return at;
      }
      at = behindDamage(at);
    }
    return -1;
  }

  /** Is what begins there whole, or was it durable? */
  private boolean reached(long position) throws IOException {
    while (position >= accepted && !ended) {
      accepted = Math.max(accepted, position);
      long end = groupEnd(accepted);
      if (end < 0 && headerChanged()) {
        continue;
      }
      if (end < 0) {
        end = damagedUpTo(accepted);
      } else {
        checked = end;
      }
      ended = end < 0;
      accepted = Math.max(accepted, end);
    }
    return position < accepted;
  }

  /** Does a record begin there, which ends where another one can begin? */
  private boolean recorded(long position) throws IOException {
    long end = RecordTrail.end(bytes(position, 2 * RecordTrail.LENGTH_BYTES), position);
    return end > position && end <= accepted && from(end - 1).hasRemaining();
  }

  /** The next group that is whole; what isn't known to have been durable, if there is none. */
  private long behindDamage(long position) throws IOException {
    damaged(position, accepted);
    long end = wholeBehind(position, accepted, (trailer, start) -> start > position);
    return end < 0 ? accepted : end - trailer(end).length();
  }

  private void damaged(long position, long upTo) {
    if (position >= told) {
      faults.damaged(position, upTo);
    }
    told = Math.max(told, upTo);
  }

  /** Did the journal end before a group that isn't whole? */
  public boolean torn() {
    return torn;
  }

  /** A condition on the end of a record that may be the last of its group. */
  private interface Asked {
    boolean is(RecordTrail trail, long start, long end) throws IOException;
  }

  /** End of the group that begins there, or in whose middle that is; negative if it isn't whole. */
  private long groupEnd(long start) throws IOException {
    return groupEnd(start, this::listed, this::trailed);
  }

  private long groupEnd(long start, Asked inHeader, Asked byTrailer) throws IOException {
    RecordTrail trail = new RecordTrail(start);
    long at = start;
    while (!trail.lost()) {
      ByteBuffer bytes = from(at);
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int before = bytes.position();
      boolean record = trail.step(bytes);
      at += bytes.position() - before;
      if (record && inHeader.is(trail, start, at)) {
        return at;
      }
      if (record && trail.room() > 0) {
        return trail.room() >= GroupTrailer.BYTES && byTrailer.is(trail, start, at) ? at : -1;
      }
    }
    return -1;
  }

  private boolean listed(RecordTrail trail, long start, long end) {
    for (HeaderGroups.Group group : header.groups()) {
      if (group.start() == start && group.length() == end - start && group.sum() == trail.sum()) {
        return true;
      }
    }
    return false;
  }

  private boolean trailed(RecordTrail trail, long start, long end) throws IOException {
    GroupTrailer trailer = trailer(end);
    if (trailer == null || trailer.length() < end - start) {
      return false;
    }
    return trailer.length() == end - start ? trailer.of(trail) : whole(trailer, end);
  }

  /** Is the group whole that a trailer ends? */
  private boolean whole(GroupTrailer trailer, long end) throws IOException {
    long at = end - trailer.length();
    RecordTrail trail = new RecordTrail(at);
    while (at < end && !trail.lost()) {
      ByteBuffer bytes = from(at);
      if (!bytes.hasRemaining()) {
        return false;
      }
      ByteBuffer part = bytes.slice().limit((int) Math.min(bytes.remaining(), end - at));
      trail.follow(part);
      at += part.remaining();
    }
    return !trail.lost() && trail.whole() && trailer.of(trail);
  }

  /** A condition on a group's trailer, asked before the group is read. */
  private interface Wanted {
    boolean is(GroupTrailer trailer, long start);
  }

  /** End of the first such group that is whole behind a position; negative if none is. */
  private long wholeBehind(long position, long limit, Wanted wanted) throws IOException {
    for (long end = sectorBehind(position);
        end <= limit && from(end - 1).hasRemaining();
        end += HeaderGroups.BYTES) {
      GroupTrailer trailer = trailer(end);
      if (trailer != null && wanted.is(trailer, end - trailer.length()) && whole(trailer, end)) {
        return end;
      }
    }
    return -1;
  }

  /** The trailer that ends there; null if nothing that could be one is there. */
  private GroupTrailer trailer(long end) throws IOException {
    ByteBuffer bytes = bytes(end - GroupTrailer.BYTES, GroupTrailer.BYTES);
    if (bytes.remaining() < GroupTrailer.BYTES) {
      return null;
    }
    GroupTrailer trailer = GroupTrailer.read(bytes);
    boolean possible =
        trailer.length() > GroupTrailer.BYTES && trailer.length() <= end - HeaderGroups.BYTES;
    return possible ? trailer : null;
  }

  /**
   * What a later group that is whole knew to be durable, if that is more than what is before the
   * position; else negative. Where a journal ends there is much to search, and seldom anything.
   */
  private long damagedUpTo(long position) throws IOException {
    boolean ends = ends(position);
    long end = ends ? laterBehindEnd(position) : later(position, Long.MAX_VALUE);
    if (end >= 0) {
      GroupTrailer trailer = trailer(end);
      return damagedOrWritten(position, trailer.forced(end - trailer.length()));
    }
    if (ends) {
      return -1;
    }
    end = storedUpTo(position);
    if (end >= 0) {
      return damagedOrWritten(position, end);
    }
    faults.torn(position);
    torn = true;
    return -1;
  }

  /**
   * End of the group that begins there if its records follow each other and every sector of it was
   * stored, so that no lost power explains why it isn't whole; negative if one may not have been.
   */
  private long storedUpTo(long start) throws IOException {
    return groupEnd(
        start,
        (trail, from, end) -> endsInHeader(from, end) && stored(from, end),
        (trail, from, end) -> {
          GroupTrailer trailer = trailer(end);
          return trailer != null
              && trailer.length() == end - from
              && stored(from, end - HeaderGroups.BYTES);
        });
  }

  private boolean endsInHeader(long start, long end) {
    return header.groups().stream()
        .anyMatch(group -> group.start() == start && group.length() == end - start);
  }

  /**
   * Was every sector stored? What wasn't reads as zero: a whole sector, or its end, where a write
   * ended in it. A group's first sector was if its length can be read, its last one if its trailer
   * can. One that ends with zeros says nothing.
   */
  private boolean stored(long start, long end) throws IOException {
    for (long at = start + HeaderGroups.BYTES; at < end; at += HeaderGroups.BYTES) {
      if (from(at + HeaderGroups.BYTES - 1).get() == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * BookKeeper's scan reads no further: what can't be read there keeps no bookie from its start.
   */
  private long laterBehindEnd(long position) throws IOException {
    try {
      return later(position, position + SEARCHED_BYTES);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException unreadable) {
      return -1;
    }
  }

  /** End of the first later group that is whole and knew more to be durable. */
  private long later(long position, long limit) throws IOException {
    return wholeBehind(
        position,
        limit,
        (trailer, start) -> {
          long forced = trailer.forced(start);
          return start >= position && forced > position && forced <= start;
        });
  }

  /** Of a journal that is being written the window may be older than the group behind it. */
  private long damagedOrWritten(long position, long forced) throws IOException {
    window.limit(0);
    long end = groupEnd(position);
    if (end < 0) {
      damaged(position, forced);
    }
    return Math.max(end, forced);
  }

  private static long sectorBehind(long position) {
    return position / HeaderGroups.BYTES * HeaderGroups.BYTES + HeaderGroups.BYTES;
  }

  /** Does BookKeeper's scan end there? */
  private boolean ends(long position) throws IOException {
    ByteBuffer length = bytes(position, RecordTrail.LENGTH_BYTES);
    return length.remaining() < RecordTrail.LENGTH_BYTES || length.getInt() == 0;
  }

  /** So many bytes from a position on, or what the file has of them. */
  private ByteBuffer bytes(long position, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    for (ByteBuffer part; bytes.hasRemaining(); ) {
      part = from(position + bytes.position());
      if (!part.hasRemaining()) {
        break;
      }
      bytes.put(part.slice().limit(Math.min(part.remaining(), bytes.remaining())));
    }
    return bytes.flip();
  }

  /** Bytes of the file from a position on; none at its end. */
  private ByteBuffer from(long position) throws IOException {
    if (position < windowAt || position >= windowAt + window.limit()) {
      windowAt = position;
      fill();
    }
    return window.position((int) (position - windowAt));
  }

  /**
   * Fills the window. A read error behind readable bytes is left to the read that needs those
   * bytes.
   */
  private void fill() throws IOException {
    window.clear();
    try {
      while (window.hasRemaining() && source.read(window, windowAt + window.position()) > 0) {}
    } catch (IOException e) {
      if (window.position() == 0) {
        window.limit(0);
        throw e;
      }
    }
    window.flip();
  }
}
