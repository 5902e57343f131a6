// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** The store, as its open segments see it. Any thread. */
public interface SegmentHost {
  /**
   * Starts to force the names in a segment's partition directory.
   *
   * @throws IOException if its log directory isn't owned
   */
  CompletableFuture<Void> forceNames(Segment segment) throws IOException;

  /**
   * Forces the names in a segment's partition directory in the calling thread.
   *
   * @throws IOException if the force failed
   */
  void forceNamesNow(Segment segment) throws IOException;

  /**
   * Starts to force what comes before a segment in its log.
   *
   * @param alsoFound also what an earlier process wrote?
   * @throws IOException if its log directory isn't owned
   */
  CompletableFuture<Void> forceBefore(Segment segment, boolean alsoFound) throws IOException;

  /**
   * Moves a segment that its place can't hold any longer. Under the segment's lock.
   *
   * @param own a descriptor of the present file; null: none is open
   * @param cause what the device said
   * @throws IOException the cause, if there is no place left either
   */
  void evacuate(Segment segment, FileChannel own, IOException cause) throws IOException;

  /** True if no known segment comes after this one in its log. */
  boolean endsLog(Path name);

  /** A segment was read for the first time since its {@link Segment#takeReadBytes}. */
  void wasRead(Segment segment);

  /** A segment's bytes lie in another directory now; null: at home. */
  void moved(Path name, TierDirectory directory);

  /**
   * A channel was closed, and has no descriptor any more.
   *
   * @param deleteOnClose was it opened to be deleted then?
   * @throws IOException if the segment can't be sealed, or deleted
   */
  void closed(Segment segment, FileFollower channel, boolean deleteOnClose) throws IOException;

  /** Where channels are found that their users forgot. They are to be closed. */
  ReferenceQueue<FileChannel> forgotten();

  /** The file that a segment left may go, as soon as nobody reads it any more. */
  void reclaimMoved(Segment segment, SegmentFile from);
}
