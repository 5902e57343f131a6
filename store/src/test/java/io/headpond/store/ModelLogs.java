// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.SegmentName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that log directories must hold, in plain memory: segments, and the logs that they make up. A
 * log is a chain: an engine that finds one segment of it short takes that for the log's end, and
 * deletes what comes after. One thread at a time.
 */
final class ModelLogs {
  /**
   * What was found of a segment after a power cut.
   *
   * @param name as {@code home0/t-0/00000000000000000000.log}
   * @param whole does a recovery go on behind it?
   */
  record Found(String name, ModelSegment segment, byte[] content, boolean whole) {}

  /**
   * What was known at an instant.
   *
   * @param segments also those that a power cut may bring back
   */
  record Copy(List<ModelSegment> segments, List<Found> found) {}

  private final Path root;
  private List<ModelSegment> segments = new ArrayList<>();
  private long chained;

  /** By partition directory and base offset, what the engine has not deleted. */
  private final Map<String, NavigableMap<Long, ModelSegment>> chains = new TreeMap<>();

  /**
   * Nothing yet.
   *
   * @param root holds the log directories, whose names begin with {@code home}
   */
  ModelLogs(final Path root) {
    this.root = root;
  }

  /** All names that a segment may have. */
  Set<String> names() {
    final Set<String> names = new HashSet<>();
    segments.forEach(segment -> names.addAll(segment.names));
    return names;
  }

  ModelSegment create(final String name) {
    final ModelSegment made = new ModelSegment(name);
    segments.add(made);
    return made;
  }

  /** It is a segment of its log from now on. */
  void enter(final String log, final long base, final ModelSegment segment) {
    chains.computeIfAbsent(log, none -> new TreeMap<>()).put(base, segment);
    segment.left = false;
    segment.outOfLog = false;
  }

  /** It is about to be deleted: what comes after it doesn't depend on it any more. */
  void leave(final String log, final long base) {
    final NavigableMap<Long, ModelSegment> chain = chains.getOrDefault(log, new TreeMap<>());
    final ModelSegment segment = chain.remove(base);
    if (segment != null) {
      segment.left = true;
      if (chain.lowerEntry(base) != null) {
        chain.lowerEntry(base).getValue().follows(segment);
      } else if (chain.size() == 1) { // the log has begun anew
        chain.firstEntry().getValue().follows(segment);
      }
    }
  }

  /** The whole log is about to be deleted. */
  void leave(final String log) {
    final Map<Long, ModelSegment> all = chains.remove(log);
    if (all != null) {
      all.values().forEach(segment -> segment.left = true);
    }
  }

  /**
   * What is known now, whatever becomes of the segments later.
   *
   * @param found what was found of them, forced or not
   */
  Copy copy(final List<Found> found) {
    final Map<ModelSegment, ModelSegment> copies = new IdentityHashMap<>();
    segments.forEach(segment -> copies.put(segment, segment.copy()));
    copies.forEach((segment, copy) -> segment.copyReplaced(copy, copies));
    return new Copy(
        List.copyOf(copies.values()),
        found.stream()
            .map(each -> new Found(each.name(), copies.get(each.segment()), each.content(), true))
            .toList());
  }

  /** From now on, what a process that was killed has left is what is there, forced or not. */
  void stay(final Copy copy) {
    chains.clear();
    segments = new ArrayList<>(copy.segments());
    for (final Found each : copy.found()) {
      each.segment().stay(each.content());
    }
  }

  /** From now on, what a power cut has left is what must be there. */
  void become(final List<Found> found) {
    chains.clear();
    segments = new ArrayList<>();
    for (final Found each : found) {
      each.segment().left(each.name(), each.content());
      segments.add(each.segment());
    }
  }

  /**
   * Looks at what a power cut left, as somebody who knows nothing of tiers: every name leads to the
   * bytes of one segment that may have this name, no promised byte is missing, and no segment is
   * there twice, or again where others have taken its place; and as an engine that recovers, which
   * keeps of each log what lies before the first segment that isn't whole, and no promised byte is
   * missing then either.
   *
   * @param seen by name, the length that a reader was told before the power cut
   * @throws AssertionError if it isn't so
   */
  List<Found> verify(final ModelImage image, final Map<String, Long> seen) {
    return verify(image, seen, 1);
  }

  /**
   * The same.
   *
   * @param promised the bytes that a segment must have promised for those before it to end where
   *     they were cut; the cut of one is forced before the next one's first promise
   */
  private List<Found> verify(
      final ModelImage image, final Map<String, Long> seen, final int promised) {
    final List<Found> found = new ArrayList<>();
    final Map<ModelSegment, String> there = new IdentityHashMap<>();
    final Map<Path, String> targets = new HashMap<>();
    final List<ModelImage.Entry> names = new ArrayList<>();
    for (final ModelImage.Entry entry : image.below(root)) {
      final Path name = root.relativize(entry.path());
      if (name.getNameCount() == 3
          && name.toString().startsWith("home")
          && SegmentName.matches(name.getFileName().toString())) {
        names.add(entry);
      }
    }
    for (int i = 0; i < names.size(); i++) {
      final ModelImage.Entry entry = names.get(i);
      final String name = root.relativize(entry.path()).toString();
      final byte[] content = image.read(entry);
      if (content == null) {
        throw new AssertionError(name + " leads to " + entry.link() + ", which is not there");
      }
      if (entry.link() != null && targets.put(entry.link(), name) != null) {
        throw new AssertionError(name + " and another name lead to " + entry.link());
      }
      final boolean followed = !last(names, i, 0);
      final ModelSegment segment =
          identify(name, content, last(names, i, promised), followed, there);
      there.put(segment, name);
      if (segment.outOfLog && SegmentName.isPlain(entry.path().getFileName().toString())) {
        throw new AssertionError(
            name + " is back, and what was promised since stands where its bytes stood");
      }
      final String lost = segment.lost(content, seen.getOrDefault(name, 0L));
      if (lost != null) {
        throw new AssertionError(name + " " + lost);
      }
      found.add(new Found(name, segment, content, segment.whole(content)));
    }
    for (final ModelSegment segment : segments) {
      if (!segment.mayBeAbsent && !there.containsKey(segment)) {
        throw new AssertionError(segment.names + ": " + segment.now().length + " B are missing");
      }
    }
    recover(found);
    return found;
  }

  /** Power cuts at which only a segment's successor says that it must be whole. */
  long chained() {
    return chained;
  }

  private void recover(final List<Found> found) {
    boolean depends = false;
    final Map<ModelSegment, byte[]> contents = new IdentityHashMap<>();
    found.forEach(each -> contents.put(each.segment(), each.content()));
    for (final NavigableMap<Long, ModelSegment> chain : chains.values()) {
      ModelSegment end = null;
      boolean before = false;
      for (final ModelSegment segment : chain.values()) {
        if (end != null && segment.promisedBytes() > 0) {
          throw new AssertionError(brokenChain(end, contents.get(end), segment));
        }
        depends |= before && segment.promisedBytes() > 0;
        before |= !segment.promised();
        if (end == null && !segment.whole(contents.get(segment))) {
          end = segment;
        }
      }
    }
    chained += depends ? 1 : 0;
  }

  private static String brokenChain(
      final ModelSegment end, final byte[] content, final ModelSegment deleted) {
    return String.format(
        "%s isn't whole (%s of %d B): a recovery ends the log there and deletes %s, of which %d B"
            + " were promised",
        end.names,
        content == null ? "none" : content.length + " B",
        end.now().length,
        deleted.names,
        deleted.promisedBytes());
  }

  /**
   * Looks at what is there without a power cut: besides, everything that was acknowledged.
   *
   * @throws AssertionError if it isn't so
   */
  List<Found> verifyVisible(final ModelImage image) {
    final List<Found> found = verify(image, Map.of(), 0);
    final Map<ModelSegment, Found> there = new IdentityHashMap<>();
    found.forEach(each -> there.put(each.segment(), each));
    for (final ModelSegment segment : segments) {
      final Found each = there.get(segment);
      final String lost = segment.lostWithoutPowerCut(each == null ? null : each.content());
      if (lost != null) {
        throw new AssertionError(segment.names + ", which was acknowledged: " + lost);
      }
    }
    return found;
  }

  /**
   * May it be the one that is appended to? What the engine has taken out of the log may be there
   * again after a power cut, but then a recovery may delete it.
   */
  private boolean last(final List<ModelImage.Entry> names, final int index, final int promised) {
    final Path partition = names.get(index).path().getParent();
    if (names.get(index).path().toString().endsWith(".cleaned")) {
      return true; // it is being written
    }
    for (final ModelImage.Entry later : names.subList(index + 1, names.size())) {
      if (later.path().getParent().equals(partition)
          && SegmentName.isPlain(later.path().getFileName().toString())
          && belongs(root.relativize(later.path()).toString(), promised)) {
        return false;
      }
    }
    return true;
  }

  private boolean belongs(final String name, final int promised) {
    for (final ModelSegment segment : segments) {
      if (!segment.left && segment.names.contains(name) && segment.promisedBytes() >= promised) {
        return true;
      }
    }
    return false;
  }

  /**
   * The segment of a name.
   *
   * @param last may it be longer than what was written to it?
   * @param followed has another one a name behind it? Then it may not if all of it was promised: a
   *     recovery that comes to the other one first meets what is too much
   */
  private ModelSegment identify(
      final String name,
      final byte[] content,
      final boolean last,
      final boolean followed,
      final Map<ModelSegment, String> there) {
    final List<String> reasons = new ArrayList<>();
    ModelSegment optional = null;
    for (final ModelSegment segment : segments) {
      if (segment.names.contains(name) && !there.containsKey(segment)) {
        final boolean longer = last && !(followed && segment.promised());
        final String wrong = segment.wrong(content, longer || segment.left || segment.stayed());
        if (wrong != null) {
          reasons.add(wrong);
        } else if (!segment.mayBeAbsent) {
          return segment;
        } else {
          optional = segment;
        }
      }
    }
    if (optional == null) {
      throw new AssertionError(name + " " + reasons);
    }
    return optional;
  }
}
