// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Events;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.UnclearNameException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The moment in which a whole, durable copy becomes a segment's authoritative file. A rename
 * switches the name, an assignment the file in memory, and nothing between the two may fail. Every
 * move of an open segment ends here: migration and evacuation. One thread.
 */
public final class SegmentSwitch {
  private final SegmentHost host;
  private final Segment segment;
  private final SegmentFile from;
  private final SegmentFile to;
  private final Path copy;
  private final Precondition precondition;

  /** True if the name leads to the copy, or may. */
  private boolean published;

  /**
   * A switch that is still to be made. Under the segment's lock.
   *
   * @param to what the copy becomes
   * @param copy where it lies: at {@code to} in a tier, under a temporary name at home
   */
  public SegmentSwitch(
      final SegmentHost host, final Segment segment, final SegmentFile to, final Path copy) {
    this.host = host;
    this.segment = segment;
    this.to = to;
    this.copy = copy;
    from = segment.file();
    precondition = new Precondition(host, segment);
  }

  /**
   * Makes it. Under the segment's lock.
   *
   * @throws IOException if the name doesn't lead to the copy, which is the caller's to discard
   *     unless {@link #published}
   */
  public void run() throws IOException {
    segment.unsealed.touch(); // here, because it takes memory
    final FileFollower[] channels = segment.channels();
    try {
      for (final FileFollower channel : channels) {
        channel.open(to, copy);
      }
      publish(segment.name());
      segment.become(to, precondition);
      published = true;
      for (final FileFollower channel : channels) {
        channel.use();
      }
    } finally {
      for (final FileFollower channel : channels) {
        channel.leave();
      }
    }
    tell();
  }

  private void publish(final Path name) throws IOException {
    try {
      SegmentMove.publish(name, from.atHome() ? name : from.path(), copy, to.atHome());
    } catch (final UnclearNameException e) {
      published = true; // perhaps: neither file may go
      segment.unclear(e);
      throw e;
    }
  }

  /** Tells others. The segment is whole without it, so a failure here is not the switch's. */
  private void tell() {
    try {
      segment.left(from);
    } catch (final RuntimeException | Error e) {
      Events.LOG.info("{}: closing it after its segment had moved failed", from.path(), e);
    }
    try {
      host.moved(segment.name(), to.directory);
    } catch (final RuntimeException | Error e) {
      BackgroundCodes.CHOICE_FAILED.log(e);
    }
    precondition.beginEarly();
  }

  /** True if the copy must be kept, because the name leads to it, or may. */
  public boolean published() {
    return published;
  }

  /** The segment's present file. */
  SegmentFile to() {
    return to;
  }

  /**
   * Gives the former file up as soon as no power cut can bring the name back to it. Not under the
   * segment's lock.
   *
   * @throws IOException if the force of the name's directory failed; the file is kept then
   */
  public void giveUpSource() throws IOException {
    precondition.awaitName();
    host.reclaimMoved(segment, from);
  }

  /** As {@link #giveUpSource}, by the calling thread alone, which may be one that forces names. */
  void giveUpSourceHere() throws IOException {
    precondition.forceNameHere();
    host.reclaimMoved(segment, from);
  }
}
