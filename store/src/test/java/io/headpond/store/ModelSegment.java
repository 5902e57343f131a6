// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a segment must hold: its present bytes, and what else a power cut may bring back, which is
 * every state since the last promise. One thread at a time.
 */
final class ModelSegment {
  private static final byte[] ZEROS = new byte[1 << 16];
  private static final byte[] NOT_YET = new byte[0];

  /** Names that it has or had, with its log directory. */
  final Set<String> names = new HashSet<>();

  /** May it be gone after a power cut: not promised yet, or deleted? */
  boolean mayBeAbsent = true;

  /** Did the engine take it out of its log? */
  boolean left;

  /** May it not be back in the log, also after a power cut? */
  boolean outOfLog;

  private boolean deleted;

  /**
   * Segments behind it that the engine took out of the log, by the first state that was written
   * since: these bytes stand where those of the others stood.
   */
  private final Map<ModelSegment, byte[]> replaced = new IdentityHashMap<>();

  /** Is it as a killed process left it, so that readers see what was never acknowledged? */
  private boolean stayed;

  /** As much of it was acknowledged, and must be there unless the power goes. */
  private int acknowledgedBytes;

  /** As much of it was promised to outlive a power cut. */
  private int promisedBytes;

  /** The last one is the present state. */
  private final List<byte[]> states = new ArrayList<>(List.of(new byte[0]));

  /** The state after the last change that returned: a force that begins now knows nothing else. */
  private byte[] completed = now();

  ModelSegment(final String name) {
    names.add(name);
  }

  ModelSegment copy() {
    final ModelSegment copy = new ModelSegment("");
    copy.names.clear();
    copy.names.addAll(names);
    copy.mayBeAbsent = mayBeAbsent;
    copy.deleted = deleted;
    copy.completed = completed;
    copy.left = left;
    copy.outOfLog = outOfLog;
    copy.stayed = stayed;
    copy.acknowledgedBytes = acknowledgedBytes;
    copy.promisedBytes = promisedBytes;
    copy.states.clear();
    copy.states.addAll(states);
    return copy;
  }

  /** A copy goes on with the copies of what it replaces. */
  void copyReplaced(final ModelSegment copy, final Map<ModelSegment, ModelSegment> copies) {
    replaced.forEach((segment, state) -> copy.replaced.put(copies.get(segment), state));
  }

  byte[] now() {
    return states.get(states.size() - 1);
  }

  void write(final byte[] bytes, final int at) {
    final byte[] next = Arrays.copyOf(now(), Math.max(now().length, at + bytes.length));
    System.arraycopy(bytes, 0, next, at, bytes.length);
    states.add(next);
    replaced.replaceAll((segment, state) -> state == NOT_YET ? next : state);
  }

  /** The engine took a segment out of the log, and this is its last one now. */
  void follows(final ModelSegment dropped) {
    replaced.put(dropped, NOT_YET);
  }

  void truncate(final int size) {
    states.add(Arrays.copyOf(now(), size));
    acknowledgedBytes = Math.min(acknowledgedBytes, size);
    promisedBytes = Math.min(promisedBytes, size);
  }

  /** What was done last is acknowledged. */
  void acknowledge() {
    acknowledgedBytes = now().length;
    completed();
  }

  /** What was done last returned. */
  void completed() {
    completed = now();
  }

  /** What a force that begins now will make durable. */
  byte[] forceable() {
    return completed;
  }

  /** Something failed half-way, and this is what became of it. */
  void found(final byte[] content) {
    if (!Arrays.equals(content, now())) {
      states.add(content);
    }
    completed();
  }

  /**
   * Compares what is there, without a power cut, with what was acknowledged.
   *
   * @param content null: it isn't there
   * @return null: all of it is there
   */
  String lostWithoutPowerCut(final byte[] content) {
    if (content == null) {
      return deleted || acknowledgedBytes == 0 ? null : acknowledgedBytes + " B are gone";
    }
    if (content.length < acknowledgedBytes) {
      return "ends at " + content.length + " B, and " + acknowledgedBytes + " B were acknowledged";
    }
    for (int at = 0; at < acknowledgedBytes; at++) {
      if (content[at] != now()[at] && !completedIs(content[at], at)) {
        return "byte "
            + at
            + " is "
            + content[at]
            + ", neither as acknowledged nor as being written";
      }
    }
    return null;
  }

  /** A write that is under way may not have come to this byte yet. */
  private boolean completedIs(final byte found, final int at) {
    return at < completed.length && completed[at] == found;
  }

  /** A process that was killed left this of it. */
  void stay(final byte[] content) {
    found(content);
    stayed = true;
  }

  /**
   * Is it as a killed process left it? What the start after it cut off may come back until it is
   * forced, which is no later than the first promise of the segment after it.
   */
  boolean stayed() {
    return stayed;
  }

  /** The present state will outlive a power cut. */
  void promise() {
    promise(now());
  }

  /**
   * A state will outlive a power cut, or one that came after it.
   *
   * @param state what was {@link #forceable} when a force began
   */
  void promise(final byte[] state) {
    for (int i = 0; i < states.size(); i++) {
      if (states.get(i) == state) {
        states.subList(0, i).clear();
        break;
      }
    }
    stayed = false;
    promisedBytes = Math.min(state.length, now().length);
    mayBeAbsent = deleted;
    replaced.entrySet().removeIf(each -> takenOut(each.getKey(), each.getValue()));
  }

  /** Was it promised what was written instead of a segment? Then that one stays away. */
  private boolean takenOut(final ModelSegment dropped, final byte[] written) {
    if (written == NOT_YET
        || states.subList(1, states.size()).stream().anyMatch(later -> later == written)) {
      return false;
    }
    dropped.outOfLog = dropped.left;
    return true;
  }

  /** Was all of it promised, as it is now? */
  boolean promised() {
    return states.size() == 1 && promisedBytes == now().length;
  }

  /** Bytes that were promised, and not cut off since. */
  int promisedBytes() {
    return promisedBytes;
  }

  /**
   * Is all of it there, and nothing else?
   *
   * @param content null: it isn't there
   */
  boolean whole(final byte[] content) {
    return content == null ? now().length == 0 : Arrays.equals(content, now());
  }

  void delete() {
    deleted = true;
    mayBeAbsent = true;
  }

  /** A power cut left this of it. */
  void left(final String name, final byte[] content) {
    stayed = false;
    left = false;
    outOfLog = false;
    replaced.clear();
    states.clear();
    states.add(content);
    completed();
    names.clear();
    names.add(name);
    mayBeAbsent = false;
    acknowledgedBytes = content.length;
    promisedBytes = content.length;
  }

  /**
   * Compares what was found with what may be found.
   *
   * @param last may it end in zeros that were grown ahead of its end?
   * @return what is wrong; null: nothing
   */
  String wrong(final byte[] found, final boolean last) {
    if (states.size() == 1 && Arrays.equals(found, now())) {
      return null;
    }
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (final byte[] state : states) {
      least = Math.min(least, state.length);
      most = Math.max(most, state.length);
    }
    if (found.length < least) {
      return "ends at " + found.length + " B, and " + least + " B were promised";
    }
    if (found.length > most && !last) {
      return "has " + found.length + " B instead of " + most + " B, and a segment comes after it";
    }
    for (int at = 0; at < found.length; ) {
      final int next = possibleUpTo(found, at);
      if (next == at) {
        return String.format(
            "byte %d of %d is %d, in none of its %d states",
            at, found.length, found[at], states.size());
      }
      at = next;
    }
    return null;
  }

  /**
   * What is missing of what a reader may have seen.
   *
   * @param seen the length that a reader was told, where nothing is told before it is durable
   * @return null: nothing
   */
  String lost(final byte[] found, final long seen) {
    final byte[] now = now();
    if (stayed || seen > now.length) {
      return null; // or a truncation is under way
    }
    if (found.length < seen) {
      return "ends at " + found.length + " B, and a reader may have seen " + seen + " B";
    }
    int from = (int) seen;
    for (final byte[] state : states) {
      from = Math.min(from, state.length);
    }
    final int differs = Arrays.mismatch(found, from, (int) seen, now, from, (int) seen);
    return differs < 0 ? null : "byte " + (from + differs) + " may have been seen, and is lost";
  }

  /** As far as one of the states explains what was found. */
  private int possibleUpTo(final byte[] found, final int from) {
    int most = from;
    boolean ended = false;
    for (final byte[] state : states) {
      final int end = Math.min(state.length, found.length);
      if (from < end) {
        final int differs = Arrays.mismatch(found, from, end, state, from, end);
        most = Math.max(most, differs < 0 ? end : from + differs);
      } else {
        ended = true;
      }
    }
    return ended ? Math.max(most, zerosUpTo(found, from)) : most;
  }

  private static int zerosUpTo(final byte[] found, final int from) {
    for (int at = from; at < found.length; ) {
      final int end = Math.min(found.length, at + ZEROS.length);
      final int differs = Arrays.mismatch(found, at, end, ZEROS, 0, end - at);
      if (differs >= 0) {
        return at + differs;
      }
      at = end;
    }
    return found.length;
  }
}
