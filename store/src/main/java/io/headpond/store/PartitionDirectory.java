// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One partition directory of a log directory: its open segments, and the lock under which names in
 * it come and go.
 */
public final class PartitionDirectory {
  final ReentrantLock lock = new ReentrantLock();

  /** Open segments by file name; written under the lock, read by any thread. */
  final ConcurrentHashMap<String, Segment> open = new ConcurrentHashMap<>();

  final Home home;

  private volatile Path path;

  /** The new name by a rename that has begun; null if none has. */
  private volatile Path next;

  /** True from its deletion on: nothing is made for its log any more. */
  volatile boolean gone;

  /** True if the directory's own entry in the log directory is known to be durable. */
  volatile boolean entryDurable;

  /** True if every segment that is not open is durable. Kept by {@link LogChain}. */
  volatile boolean unopenedForced;

  /** The failed force of a segment that is not open; null: none failed. */
  volatile ForceFailedException unforceable;

  /** Run-ahead chunk that the last sealed segment had reached, bytes. Under the lock. */
  int lastChunkBytes;

  PartitionDirectory(final Home home, final Path path) {
    this.home = home;
    this.path = path;
  }

  public Path path() {
    return path;
  }

  /**
   * Refuses to count segments as durable that a second force would only seem to make so.
   *
   * @throws IOException if the force of one that is not open has failed
   */
  void refuseUnforceable() throws IOException {
    final ForceFailedException before = unforceable;
    if (before != null) {
      throw new IOException(before.getMessage(), before);
    }
  }

  /**
   * The directory's path on disk, where a rename is done before it is known here.
   *
   * @return null: it was deleted
   * @throws IOException if a device can't say
   */
  Path find() throws IOException {
    while (true) {
      final Path now = path;
      final Path begun = next;
      if (NameLook.leadsSomewhere(now)) {
        return now;
      }
      if (begun != null && NameLook.leadsSomewhere(begun)) {
        return begun;
      }
      if (now == path && begun == next) {
        return null;
      }
    }
  }

  /**
   * Makes its entries durable, also while it is being renamed. If it was deleted, the nearest
   * directory above that is there: it went with that one's entry.
   *
   * @throws IOException as {@link DirectoryForce#force}
   */
  public void force(final DirectoryForce directoryForce) throws IOException {
    Path nearest = path; // also if it isn't there: one that was deleted has failed, too
    while (true) {
      try {
        directoryForce.force(nearest);
        return;
      } catch (final NoSuchFileException gone) {
        final Path now = find();
        if (now != null && !now.equals(nearest)) {
          nearest = now;
        } else if (now != null || nearest.getParent() == null) {
          throw gone;
        } else {
          nearest = nearest.getParent();
        }
      }
    }
  }

  /** The open segments' new names by a rename that has begun. Under the lock. */
  private Map<Segment, Path> nextNames = Map.of();

  /** A rename of the directory begins; {@link #renamed} or {@link #notRenamed} follows. */
  public void renaming(final Path newPath) {
    final Map<Segment, Path> names = new HashMap<>();
    open.forEach((fileName, segment) -> names.put(segment, newPath.resolve(fileName)));
    nextNames = names;
    next = newPath;
  }

  /** The directory was renamed: under its lock and every open segment's. */
  void renamed() {
    path = next;
    next = null;
    entryDurable = false;
    nextNames.forEach(Segment::renamed);
    nextNames = Map.of();
  }

  /** The rename failed. */
  void notRenamed() {
    next = null;
    nextNames = Map.of();
  }
}
