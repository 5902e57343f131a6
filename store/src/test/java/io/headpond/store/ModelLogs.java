// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that log directories must hold, in plain memory. One thread at a time. */
final class ModelLogs {
  /**
   * What was found of a segment after a power cut.
   *
   * @param name as {@code home0/t-0/00000000000000000000.log}
   */
  record Found(String name, ModelSegment segment, byte[] content) {}

  private final Path root;
  private List<ModelSegment> segments = new ArrayList<>();

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

  /** From now on, what a power cut has left is what must be there. */
  void become(final List<Found> found) {
    segments = new ArrayList<>();
    for (final Found each : found) {
      each.segment().left(each.name(), each.content());
      segments.add(each.segment());
    }
  }

  /**
   * Looks at what a power cut left, as somebody who knows nothing of tiers: every name leads to the
   * bytes of one segment that may have this name, no promised byte is missing, and no segment is
   * there twice.
   *
   * @param seen by name, the length that a reader was told before the power cut
   * @throws AssertionError if it isn't so
   */
  List<Found> verify(final ModelImage image, final Map<String, Long> seen) {
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
      final ModelSegment segment = identify(name, content, last(names, i), there);
      there.put(segment, name);
      final String lost = segment.lost(content, seen.getOrDefault(name, 0L));
      if (lost != null) {
        throw new AssertionError(name + " " + lost);
      }
      found.add(new Found(name, segment, content));
    }
    for (final ModelSegment segment : segments) {
      if (!segment.mayBeAbsent && !there.containsKey(segment)) {
        throw new AssertionError(segment.names + ": " + segment.now().length + " B are missing");
      }
    }
    return found;
  }

  /**
   * Looks at what is there without a power cut: besides, everything that was acknowledged.
   *
   * @throws AssertionError if it isn't so
   */
  List<Found> verifyVisible(final ModelImage image) {
    final List<Found> found = verify(image, Map.of());
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

  /** May it be the one that is appended to? */
  private static boolean last(final List<ModelImage.Entry> names, final int index) {
    final Path partition = names.get(index).path().getParent();
    if (names.get(index).path().toString().endsWith(".cleaned")) {
      return true; // it is being written
    }
    for (final ModelImage.Entry later : names.subList(index + 1, names.size())) {
      if (later.path().getParent().equals(partition)
          && SegmentName.isPlain(later.path().getFileName().toString())) {
        return false;
      }
    }
    return true;
  }

  private ModelSegment identify(
      final String name,
      final byte[] content,
      final boolean last,
      final Map<ModelSegment, String> there) {
    final List<String> reasons = new ArrayList<>();
    ModelSegment optional = null;
    for (final ModelSegment segment : segments) {
      if (segment.names.contains(name) && !there.containsKey(segment)) {
        final String wrong = segment.wrong(content, last);
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
