// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Tells which groups of a journal are whole, by what {@link GroupChecks} wrote with them. The
 * journal ends before the first one that isn't, if nothing shows that it was durable: such a group
 * and what follows it weren't acknowledged. If something does, the device is to blame, and the
 * records are replayed as they are, as BookKeeper does.
 *
 * <p>The thread that replays.
 */
final class WholeGroups {
  private static final int WINDOW_BYTES = 256 << 10;

  /** What reads from a position of the file, as {@link java.nio.channels.FileChannel} does. */
  interface Source {
    int read(ByteBuffer target, long at) throws IOException;
  }

  private final Path file;
  private final Source source;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private HeaderGroups.Found header;
  private long windowAt;

  /** Groups before it are whole, or are replayed whatever they are. */
  private long accepted;

  private boolean ended;
  private boolean torn;

  private WholeGroups(Path file, Source source, HeaderGroups.Found header) {
    this.file = file;
    this.source = source;
    this.header = header;
    this.accepted = header.forced();
  }

  /** The groups of a journal; null if the journal was written without checks. */
  static WholeGroups of(Path file, Source source) throws IOException {
    HeaderGroups.Found header = header(source);
    return header == null ? null : new WholeGroups(file, source, header);
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
   * May the record that begins there be replayed? Positions are asked for in ascending order.
   *
   * @param position the first one is a group's begin; later ones are ends of records
   */
  boolean has(long position) throws IOException {
    while (position >= accepted && !ended) {
      accepted = Math.max(accepted, position);
      long end = groupEnd(accepted);
      if (end < 0 && headerChanged()) {
        continue;
      }
      if (end < 0) {
        end = damagedUpTo(accepted);
      }
      ended = end < 0;
      accepted = Math.max(accepted, end);
    }
    return position < accepted;
  }

  /** Did the journal end before a group that isn't whole? */
  boolean torn() {
    return torn;
  }

  /** End of the group that begins there, or in whose middle that is; negative if it isn't whole. */
  private long groupEnd(long start) throws IOException {
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
      if (record && listed(trail, start, at)) {
        return at;
      }
      if (record && trail.room() > 0) {
        return trail.room() >= GroupTrailer.BYTES && trailed(trail, start, at) ? at : -1;
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
   * position; else negative. Of a journal that ends there nothing is looked for: it may be long.
   */
  private long damagedUpTo(long position) throws IOException {
    if (ends(position)) {
      return -1;
    }
    long sector = HeaderGroups.BYTES;
    for (long end = position / sector * sector + sector;
        from(end - 1).hasRemaining();
        end += sector) {
      GroupTrailer trailer = trailer(end);
      if (trailer != null) {
        long start = end - trailer.length();
        long forced = trailer.forced(start);
        if (start >= position && forced > position && forced <= start && whole(trailer, end)) {
          BookieCodes.GROUP_DAMAGED.log(file, position);
          return forced;
        }
      }
    }
    BookieCodes.GROUP_TORN.log(file, position);
    torn = true;
    return -1;
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
      window.clear();
      windowAt = position;
      while (window.hasRemaining() && source.read(window, windowAt + window.position()) > 0) {}
      window.flip();
    }
    return window.position((int) (position - windowAt));
  }
}
