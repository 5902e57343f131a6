// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Channel that BookKeeper replays a journal through: the file ends where its records end.
 *
 * <p>A scan stops at the length zero, which it has read by then. BookKeeper takes the place behind
 * it for the end of the journal, and a start that finds that mark reads from there, 4 bytes further
 * each time. Here it is told of the end of the file instead, and its mark is the end of the last
 * record, over any number of starts.
 *
 * <p>The records also end before a group that a power cut left in part, see {@link WholeGroups}.
 * Its mark is the end of the file then, or the next start would begin with that group, and one
 * without Headpond would replay it. Where a device damaged what was durable so that no record is
 * there any more, BookKeeper's scan would end; here the next record is one behind that.
 *
 * <p>The thread that replays.
 */
final class JournalReadChannel extends NarrowFileChannel {
  private final FileChannel channel;
  private final WholeGroups groups;
  private RecordTrail trail = new RecordTrail();
  private long position;

  private JournalReadChannel(Path file, FileChannel channel, WholeGroups groups) {
    super(file);
    this.channel = channel;
    this.groups = groups;
  }

  static JournalReadChannel open(Path file) throws IOException {
    FileChannel channel = channel(file);
    try {
      return new JournalReadChannel(file, channel, WholeGroups.of(channel::read, logged(file)));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel channel(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (AccessDeniedException e) {
      throw WriteAccess.refusal(e);
    }
  }

  private static WholeGroups.Faults logged(Path file) {
    return new WholeGroups.Faults() {
      @Override
      public void torn(long position) {
        BookieCodes.GROUP_TORN.log(file, position);
      }

      @Override
      public void damaged(long position, long upTo) {
        BookieCodes.GROUP_DAMAGED.log(file, position, upTo);
      }
    };
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int from = target.position();
    boolean length = trail.whole() && target.remaining() == RecordTrail.LENGTH_BYTES;
    if (length && position >= HeaderGroups.BYTES && groups != null) {
      long next = groups.next(position);
      if (next < 0) {
        position = groups.torn() ? size() : position;
        return -1;
      }
      position = next;
    }
    int bytes = channel.read(target, position);
    if (length && bytes == RecordTrail.LENGTH_BYTES && target.getInt(from) == 0) {
      target.position(from);
      return -1;
    }
    if (bytes > 0) {
      trail.follow(target.duplicate().limit(from + bytes).position(from));
      position += bytes;
    }
    return bytes;
  }

  @Override
  public long position() {
    return position;
  }

  /** A record begins there. */
  @Override
  public FileChannel position(long at) {
    position = at;
    trail = new RecordTrail();
    return this;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    channel.close();
  }
}
