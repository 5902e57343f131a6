// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;

/**
 * What a journal on a disk writes along with each group, so that a start sees whether the group is
 * whole: a disk that loses its power may have kept any of a group's sectors, and what a sector lost
 * reads as zeros. A {@link GroupTrailer} where the group's padding has room, else an entry in the
 * header.
 *
 * <p><b>Threads.</b> The journal thread, but for {@link #whole()} and {@link #forced}, which are of
 * the thread that forces.
 */
final class GroupChecks {
  /** BookKeeper's {@code JournalChannel.V5}: groups are padded, and a header is a sector. */
  static final int PADDED_FORMAT = 5;

  private final HeaderGroups header = new HeaderGroups();
  private final ByteBuffer trailer = ByteBuffer.allocateDirect(GroupTrailer.BYTES);

  /** Every group before it is stored. */
  private volatile long whole = HeaderGroups.BYTES;

  /** And durable. */
  private volatile long forced = HeaderGroups.BYTES;

  /** Can a start check groups of such a journal? */
  static boolean possible(int format, int alignmentBytes) {
    return format >= PADDED_FORMAT && alignmentBytes % HeaderGroups.BYTES == 0;
  }

  /** The header that is to be written, with what a start looks for. */
  static ByteBuffer stamped(ByteBuffer bookKeepers) {
    ByteBuffer header = ByteBuffer.allocateDirect(HeaderGroups.BYTES).put(bookKeepers).flip();
    HeaderGroups.stamp(header);
    return header;
  }

  /** The trailer of a group that was followed to its end, where its padding has the room. */
  ByteBuffer trailer(RecordTrail trail, long start, long end) {
    GroupTrailer.of(trail, start, end, forced).put(trailer.clear());
    return trailer.flip();
  }

  /** Has the header no room for a group? A force makes some. */
  boolean headerFull() {
    header.durable(forced);
    return header.full();
  }

  /** The header's next copy, with one more group. */
  ByteBuffer nextHeader(RecordTrail trail, long start, long end) {
    header.durable(forced);
    header.add(new HeaderGroups.Group(start, Math.toIntExact(end - start), trail.sum()));
    return header.nextCopy(forced);
  }

  /** Position of the header's copy that was made last. */
  long headerAt() {
    return header.copyAt();
  }

  /** All groups before the position are stored. */
  void whole(long end) {
    whole = end;
  }

  long whole() {
    return whole;
  }

  /** Takes the end of what a successful force covered. */
  void forced(long end) {
    forced = end;
  }
}
