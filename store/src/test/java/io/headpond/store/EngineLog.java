// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A log of a {@link ModelEngine}: its segments by base offset, those that are about to be deleted,
 * and what Kafka does to them as a whole.
 */
final class EngineLog {
  private final ModelRun run;
  private final ModelScript script;
  final String directory;
  final TreeMap<Long, EngineSegment> segments = new TreeMap<>();
  final List<EngineSegment> deleted = new ArrayList<>();

  /** Open by names that they have no more; in Kafka until the garbage collector finds them. */
  final List<EngineSegment> left = new ArrayList<>();

  private long nextOffset;
  private int generation;

  /** Of the first segment that a start found not to be whole. */
  private long endOffset = Long.MAX_VALUE;

  EngineLog(final ModelRun run, final ModelScript script, final String directory) {
    this.run = run;
    this.script = script;
    this.directory = directory;
  }

  EngineSegment last() {
    return segments.lastEntry().getValue();
  }

  EngineSegment any() {
    return List.copyOf(segments.values()).get(script.nextInt(segments.size()));
  }

  private String name(final long base, final String ending) {
    return String.format("%s/%020d.log%s", directory, base, ending);
  }

  private EngineSegment create(final String name) throws IOException {
    final ModelSegment segment;
    synchronized (run.logs) {
      segment = run.logs.create(name);
    }
    return new EngineSegment(run, script, segment, name);
  }

  private void enter(final long base, final EngineSegment open) {
    synchronized (run.logs) {
      run.logs.enter(directory, base, open.model);
    }
    segments.put(base, open);
  }

  void roll() throws IOException {
    final long base = nextOffset;
    nextOffset = base + 1 + script.nextInt(1_000);
    final String name = name(base, "");
    script.say("roll %s", name);
    Files.createDirectories(run.path(directory));
    enter(base, create(name));
    for (final EngineSegment sealed : segments.headMap(base).values()) {
      final long size = run.sizeVanilla(sealed.name);
      if (size != sealed.model.now().length) {
        throw new AssertionError(sealed.name + " has " + size + " B after the roll");
      }
    }
  }

  /** As a log does whose retention is short. */
  void turnOver() throws IOException {
    roll();
    deleteFirst();
    deleteFiles();
  }

  void deleteFirst() throws IOException {
    if (segments.size() > 1) {
      toDelete(segments.firstKey());
    }
  }

  private void toDelete(final long base) throws IOException {
    final EngineSegment open = segments.get(base);
    final String name = name(base, ".deleted");
    script.say("rename %s to .deleted", open.name);
    synchronized (run.logs) {
      run.logs.leave(directory, base);
    }
    final List<EngineSegment> overwritten =
        deleted.stream().filter(other -> other.name.equals(name)).toList();
    synchronized (run.logs) {
      overwritten.forEach(other -> other.model.delete());
    }
    open.rename(name);
    for (final EngineSegment other : overwritten) {
      other.channel.close();
    }
    deleted.removeAll(overwritten);
    segments.remove(base);
    deleted.add(open);
  }

  void deleteFiles() throws IOException {
    for (final EngineSegment open : deleted) {
      open.delete();
    }
    deleted.clear();
  }

  /** The directory is renamed, and then everything in it goes. */
  void delete() throws IOException {
    final String gone = directory + "." + generation++ + "-delete";
    script.say("rename %s to %s and delete it", directory, gone);
    final List<EngineSegment> opened = new ArrayList<>(segments.values());
    opened.addAll(deleted);
    synchronized (run.logs) {
      run.logs.leave(directory);
      for (final EngineSegment open : opened) {
        for (final String name : List.copyOf(open.model.names)) {
          open.model.names.add(moved(name, gone)); // its own rename may be undone
        }
      }
    }
    run.store().move(run.path(directory), run.path(gone), StandardCopyOption.ATOMIC_MOVE);
    for (final EngineSegment open : opened) {
      open.name = moved(open.name, gone);
      open.read();
      open.delete();
    }
    run.store().delete(run.path(gone));
    forget();
  }

  private static String moved(final String name, final String directory) {
    return directory + name.substring(name.lastIndexOf('/'));
  }

  /** Two sealed segments become one, in Kafka's order. */
  void compact(final int bytesMax) throws IOException {
    if (segments.size() < 3) {
      return;
    }
    final long first = segments.firstKey();
    final long second = segments.higherKey(first);
    final EngineSegment made = create(name(first, ".cleaned"));
    script.say("compact into %s", made.name);
    try {
      made.append(bytesMax);
      made.force();
      made.rename(name(first, ".swap"));
      toDelete(first);
      toDelete(second);
      made.rename(name(first, ""));
      enter(first, made);
    } catch (final IOException | RuntimeException | Error e) {
      made.channel.close();
      throw e;
    }
  }

  /** A whole segment was found at a start. */
  void found(final EngineSegment open) throws IOException {
    found(open, true);
  }

  /**
   * A segment was found at a start.
   *
   * @param whole is nothing of it missing?
   */
  void found(final EngineSegment open, final boolean whole) throws IOException {
    final long base = baseOffset(open);
    enter(base, open);
    nextOffset = Math.max(nextOffset, base + 1);
    if (!whole) {
      endOffset = Math.min(endOffset, base);
    }
    open.check();
  }

  /** The log ends with the first segment that isn't whole; what comes after it is deleted. */
  void recover() throws IOException {
    final long end = endOffset;
    endOffset = Long.MAX_VALUE;
    deleteAfter(end);
    if (!segments.isEmpty()) {
      last().cutZeros();
    }
  }

  /**
   * Shortens the log to somewhere in one of its segments: a follower does, after an election. Or
   * begins it anew behind all that it has, which a leader has deleted meanwhile.
   */
  void truncate() throws IOException {
    if (script.nextInt(4) == 0) {
      roll();
      for (final long base : List.copyOf(segments.headMap(segments.lastKey()).keySet())) {
        toDelete(base);
      }
    } else {
      truncate(any());
    }
  }

  /** Shortens the log to somewhere in this segment. */
  void truncate(final EngineSegment end) throws IOException {
    deleteAfter(baseOffset(end));
    end.truncate();
  }

  /**
   * Forces a segment, and before it those that a start has found: an engine knows which of an
   * earlier process's segments it still has to force.
   */
  void force(final EngineSegment open) throws IOException {
    for (final EngineSegment before : List.copyOf(segments.headMap(baseOffset(open)).values())) {
      if (before.found) {
        before.force();
      }
    }
    open.force();
  }

  private void deleteAfter(final long end) throws IOException {
    for (final long base : List.copyOf(segments.tailMap(end, false).keySet())) {
      toDelete(base);
    }
  }

  /** A compaction was found at a start whose output only wants its name. */
  void finishSwap(final EngineSegment swap) throws IOException {
    final long base = baseOffset(swap);
    final EngineSegment old = segments.remove(base);
    if (old != null) {
      synchronized (run.logs) {
        run.logs.leave(directory, base);
      }
      old.delete();
    }
    left.add(swap);
    enter(base, swap.renamedAround(name(base, "")));
  }

  private static long baseOffset(final EngineSegment open) {
    return SegmentName.baseOffset(open.name.substring(open.name.lastIndexOf('/') + 1));
  }

  /** Opens everything again. */
  void reopen() throws IOException {
    for (final long base : script.shuffled(segments.keySet())) {
      segments.put(base, again(segments.get(base)));
    }
    for (int i = 0; i < deleted.size(); i++) {
      deleted.set(i, again(deleted.get(i)));
    }
  }

  private EngineSegment again(final EngineSegment open) throws IOException {
    return EngineSegment.reopened(run, script, open.model, open.name);
  }

  /** There is nothing any more. */
  void forget() {
    segments.clear();
    deleted.clear();
    endOffset = Long.MAX_VALUE;
  }

  void close() throws IOException {
    for (final EngineSegment open : segments.values()) {
      open.channel.close();
    }
    for (final EngineSegment open : deleted) {
      open.channel.close();
    }
    for (final EngineSegment open : left) {
      open.channel.close();
    }
    left.clear();
  }
}
