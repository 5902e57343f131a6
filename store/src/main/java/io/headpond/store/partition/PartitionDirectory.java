// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.store.claim.Home;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.segment.Segment;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One partition directory of a log directory: its open segments, and the lock under which names in
 * it come and go.
 */
public final class PartitionDirectory {
  /** In the order of names, behind those of segments, which begin with digits. */
  private static final String AFTER_ALL = ":";

  /** Names in the directory come and go under it. */
  public final ReentrantLock lock = new ReentrantLock();

  /**
   * Open segments by file name, in the log's order. Changed by {@link #enter} and {@link #leave}
   * alone, read by any thread.
   */
  public final ConcurrentNavigableMap<String, Segment> open = new ConcurrentSkipListMap<>();

  /** Of these, those in which a seal may find something to do. */
  private final Set<Segment> unsealed = ConcurrentHashMap.newKeySet();

  public final Home home;

  private volatile Path path;

  /** The new name by a rename that has begun; null if none has. */
  private volatile Path next;

  /** The name of a segment that is being made, until it is among the open ones; null: none is. */
  private volatile String beingMade;

  /** The path before its last rename; null: it has had no other. */
  private volatile Path former;

  /** True from its deletion on: nothing is made for its log any more. */
  volatile boolean gone;

  /** The name by which its own entry in the log directory is known to be durable; null: none. */
  volatile Path durableEntry;

  /** The number of segments that were closed unforced, or came unopened from elsewhere. */
  private final AtomicInteger closedUnforced = new AtomicInteger();

  /** Forced lengths of segments that are not open; null: none. */
  private volatile Unopened unopened;

  /**
   * The segments before a name that are not open were forced.
   *
   * @param closed how many had been closed unforced before
   */
  private record Unopened(int closed, String before) {}

  /** The failed force of a segment that is not open; null: none failed. */
  volatile ForceFailedException unforceable;

  /** Run-ahead chunk that the last sealed segment had reached, bytes. Under the lock. */
  public int lastChunkBytes;

  public PartitionDirectory(final Home home, final Path path) {
    this.home = home;
    this.path = path;
  }

  public Path path() {
    return path;
  }

  /** True if it had this path before its last rename. */
  boolean was(final Path canonical) {
    return canonical.equals(former);
  }

  /** A name leads to an open segment from now on. Under the lock. */
  public void enter(final String fileName, final Segment segment) {
    final Segment before = open.put(fileName, segment);
    if (before != null && before != segment) {
      leave(before);
    }
    segment.lock.lock();
    try {
      segment.unsealed.enter(unsealed);
    } finally {
      segment.lock.unlock();
    }
  }

  /** A name leads to no open segment any more. Under the lock. */
  public void leave(final String fileName) {
    final Segment before = open.remove(fileName);
    if (before != null) {
      leave(before);
    }
  }

  /** Unless the name leads to another segment meanwhile. Under the lock. */
  public void leave(final String fileName, final Segment segment) {
    if (open.remove(fileName, segment)) {
      leave(segment);
    }
  }

  private static void leave(final Segment segment) {
    segment.lock.lock();
    try {
      segment.unsealed.leave();
    } finally {
      segment.lock.unlock();
    }
  }

  /**
   * A segment of which bytes may be in the page cache alone won't be among the {@link #open} ones;
   * it still is.
   */
  public void closesUnforced() {
    closedUnforced.incrementAndGet();
  }

  /** The number of those so far. */
  int closedUnforced() {
    return closedUnforced.get();
  }

  /** True if all segments before a name that are not open are known to be durable. */
  boolean unopenedForced(final String before, final int closed) {
    final Unopened forced = unopened;
    return forced != null && forced.closed == closed && before.compareTo(forced.before) <= 0;
  }

  /** The segments before a name that are not open were forced. */
  void unopenedWereForced(final String before, final int closed) {
    unopened = new Unopened(closed, before);
  }

  /** The open segments in which a seal may find something to do; no others. */
  public Iterable<Segment> unsealed() {
    return unsealed;
  }

  /** True if a seal would find nothing to do, or the next roll looks. */
  public boolean isSealedOrLookedAt(final Segment segment) {
    return segment.isSealed() || unsealed.contains(segment);
  }

  /** The name of the last open segment of the log before a name; null: there is none. */
  public String openBefore(final String fileName) {
    String before = open.lowerKey(fileName);
    while (before != null && !SegmentName.isPlain(before)) {
      before = open.lowerKey(before);
    }
    return before;
  }

  /** The open segments whose names are that of a segment of the log and a further ending. */
  public Map<String, Segment> openWithEnding(final String fileName) {
    return open.subMap(fileName + ".", fileName + "/"); // which comes after the dot
  }

  /** The name of the last open segment of the log; null: there is none. */
  public String openLast() {
    return openBefore(AFTER_ALL);
  }

  /** True if any segment of the log itself is open. */
  public boolean hasOpen() {
    for (final String fileName : open.keySet()) { // in each roll, so without a stream
      if (SegmentName.isPlain(fileName)) {
        return true;
      }
    }
    return false;
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
        if (nearest.getParent() == null) {
          throw gone;
        }
        final Path now = find();
        if (nearest.equals(now)) {
          directoryForce.force(nearest.getParent()); // another has taken its name meanwhile
        } else {
          nearest = now == null ? nearest.getParent() : now;
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
  public void renamed() {
    former = path;
    path = next;
    next = null;
    nextNames.forEach(Segment::renamed);
    nextNames = Map.of();
  }

  /** The rename failed. */
  public void notRenamed() {
    next = null;
    nextNames = Map.of();
  }

  /**
   * A segment is being made: its file may hold zeros already when it gets its name. Under the lock.
   *
   * @param fileName null: none is any more
   */
  public void making(final String fileName) {
    beingMade = fileName;
  }

  /** True if a segment of that name is being made, or was a moment ago. */
  public boolean makes(final String fileName) {
    return fileName.equals(beingMade);
  }
}
