// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** All that a log directory must hold, in plain memory. One thread at a time. */
final class ModelLogs {
  /**
   * What was found of a segment after a power cut.
   *
   * @param name relative to the log directory
   */
  record Found(String name, ModelSegment segment, byte[] content) {}

  private final Path home;
  private List<ModelSegment> segments = new ArrayList<>();

  ModelLogs(final Path home) {
    this.home = home;
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
   * @throws AssertionError if it isn't so
   */
  List<Found> verify(final ModelImage image) {
    final List<Found> found = new ArrayList<>();
    final Map<ModelSegment, String> seen = new IdentityHashMap<>();
    final Map<Path, String> targets = new HashMap<>();
    final List<ModelImage.Entry> names = new ArrayList<>();
    for (final ModelImage.Entry entry : image.below(home)) {
      final Path name = home.relativize(entry.path());
      if (name.getNameCount() == 2 && SegmentName.matches(name.getFileName().toString())) {
        names.add(entry);
      }
    }
    for (int i = 0; i < names.size(); i++) {
      final ModelImage.Entry entry = names.get(i);
      final String name = home.relativize(entry.path()).toString();
      final byte[] content = image.read(entry);
      if (content == null) {
        throw new AssertionError(name + " leads to " + entry.link() + ", which is not there");
      }
      if (entry.link() != null && targets.put(entry.link(), name) != null) {
        throw new AssertionError(name + " and another name lead to " + entry.link());
      }
      final ModelSegment segment = identify(name, content, last(names, i), seen);
      seen.put(segment, name);
      found.add(new Found(name, segment, content));
    }
    for (final ModelSegment segment : segments) {
      if (!segment.mayBeAbsent && !seen.containsKey(segment)) {
        throw new AssertionError(segment.names + ": " + segment.now().length + " B are missing");
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
      final Map<ModelSegment, String> seen) {
    final List<String> reasons = new ArrayList<>();
    ModelSegment optional = null;
    for (final ModelSegment segment : segments) {
      if (segment.names.contains(name) && !seen.containsKey(segment)) {
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
