// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.event.ByteSize;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The repair, at the owner's start, of segments whose tier file has lost records that their mirror
 * holds: what wasn't forced there goes with a file system that was shut down by an error, or with
 * the power. The mirror becomes the segment, by a rename, before the engine sees either.
 *
 * <p>Design note: a mirror with more records than the tier file may be newer than that, or older
 * than a truncation. A truncation cuts the mirror first, and forces that, so an older one differs
 * from the tier file, or its further records begin where the next segment does. An engine that was
 * stopped in good order has forced its logs and says where they end: then the tier file is right.
 *
 * <p>One thread at a time.
 */
final class LostTails {
  private static final int NAMES_SHOWN_MAX = 5;
  private static final long TIER_IS_RIGHT = -1;
  private static final int BUFFER_BYTES = 1 << 18;

  /**
   * A segment whose mirror has more.
   *
   * @param index among the segments
   * @param bytes whole records of the mirror
   */
  private record Tail(int index, LogDirScan.Entry segment, Path mirror, long bytes) {
    /** A link may lead to another file system, and no rename leads there. */
    boolean isForOperator() throws IOException {
      return NameLook.isLink(segment.name().getParent());
    }

    EventCode.Words refusal() {
      final Path file = segment.target();
      return StartCodes.TAIL_LOST.words(segment.name(), file, bytes, mirror, mirror, file);
    }

    String words() {
      return segment.name() + " (" + ByteSize.text(bytes) + ")";
    }
  }

  private final SegmentProof proof;
  private final DirectoryForce names;

  /**
   * Looks at nothing yet.
   *
   * @param proof null: nobody can tell what a record is, and nothing is done
   */
  LostTails(final SegmentProof proof, final DirectoryForce names) {
    this.proof = proof;
    this.names = names;
  }

  /**
   * Brings back what is missing.
   *
   * @param segments all of the log directory, partition by partition, in the order of their names;
   *     what is brought back is another entry then
   * @param linked all tier files that links lead to; those that none leads to any more are removed
   * @throws IOException if something is missing and can't be brought back
   */
  void repair(final Path logDir, final List<LogDirScan.Entry> segments, final Set<Path> linked)
      throws IOException {
    final List<Tail> repaired = new ArrayList<>();
    try {
      for (final Tail each : find(logDir, segments)) {
        segments.set(each.index(), taken(logDir, each));
        linked.remove(each.segment().target());
        repaired.add(each);
      }
    } finally {
      if (!repaired.isEmpty()) {
        restored(logDir, repaired).log();
      }
    }
  }

  /**
   * What {@link #repair} would say, without doing it: refusals first.
   *
   * @param segments as there
   */
  List<EventCode.Words> foreseen(final Path logDir, final List<LogDirScan.Entry> segments)
      throws IOException {
    final List<EventCode.Words> words = new ArrayList<>();
    final List<Tail> restored = new ArrayList<>();
    for (final Tail each : find(logDir, segments)) {
      if (each.isForOperator()) {
        words.add(each.refusal());
      } else {
        restored.add(each);
      }
    }
    if (!restored.isEmpty()) {
      words.add(restored(logDir, restored));
    }
    return words;
  }

  /** The last ones first. */
  private List<Tail> find(final Path logDir, final List<LogDirScan.Entry> segments)
      throws IOException {
    final Map<String, Path> mirrors = proof == null ? Map.of() : mirrors(logDir);
    if (mirrors.isEmpty() || !proof.recovers(logDir)) {
      return List.of();
    }
    final Map<String, Long> forced = proof.forcedOffsets(logDir);
    final List<Tail> found = new ArrayList<>();
    String later = ""; // the partition of the one that comes next in its log
    long end = Long.MAX_VALUE;
    for (int i = segments.size() - 1; i >= 0; i--) {
      final LogDirScan.Entry segment = segments.get(i);
      if (isData(segment)) {
        end = segment.partition().equals(later) ? end : Long.MAX_VALUE;
        later = segment.partition();
        final Path mirror = mirrors.get(key(segment));
        final long bytes =
            mirror == null
                ? TIER_IS_RIGHT
                : missing(segment, mirror, end, forced.getOrDefault(later, 0L));
        if (bytes != TIER_IS_RIGHT) {
          found.add(new Tail(i, segment, mirror, bytes));
        }
        end = SegmentName.baseOffset(segment.name().getFileName().toString());
      }
    }
    return found;
  }

  private static boolean isData(final LogDirScan.Entry segment) {
    final String fileName = segment.name().getFileName().toString();
    return SegmentName.isPlain(fileName) && !SegmentName.isBeingDeleted(segment.partition());
  }

  private static String key(final LogDirScan.Entry segment) {
    return segment.linked() ? MirrorName.ofTierFile(segment.target()) : null;
  }

  /** All mirrors, by their keys. */
  private static Map<String, Path> mirrors(final Path logDir) throws IOException {
    final Map<String, Path> mirrors = new HashMap<>();
    for (final Path file : NameLook.list(logDir)) {
      final String key = MirrorName.ofMirror(file);
      if (key != null && (MirrorName.isWhole(file) || !mirrors.containsKey(key))) {
        mirrors.put(key, file);
      }
    }
    return mirrors;
  }

  /**
   * The records of a mirror that has more of them than the tier file, and all of those. What the
   * engine has forced is not read, unless bytes are missing there.
   *
   * @param end the first offset of the next segment
   * @param forced the first offset that isn't known to be forced
   * @return bytes, or {@link #TIER_IS_RIGHT}
   */
  private long missing(
      final LogDirScan.Entry segment, final Path mirror, final long end, final long forced)
      throws IOException {
    if (end <= forced && Files.size(mirror) <= segment.bytes()) {
      return TIER_IS_RIGHT;
    }
    final long there = wholeBytes(segment.target(), Long.MAX_VALUE);
    if (Files.size(mirror) <= there) {
      return TIER_IS_RIGHT;
    }
    final long whole = wholeBytes(mirror, end);
    if (whole <= there) {
      return TIER_IS_RIGHT;
    }
    if (differ(segment.target(), mirror, there)) {
      Events.LOG.info("{}: older than what {} was cut to", mirror, segment.target());
      return TIER_IS_RIGHT;
    }
    return whole;
  }

  private long wholeBytes(final Path file, final long end) throws IOException {
    try {
      return proof.wholeBytes(file, end);
    } catch (final IOException e) {
      throw NameLook.named(file, e);
    }
  }

  /** Do the first bytes of two files differ? */
  private static boolean differ(final Path one, final Path other, final long bytes)
      throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    final ByteBuffer otherBuffer = ByteBuffer.allocate(BUFFER_BYTES);
    try (FileChannel in = FileChannel.open(one, StandardOpenOption.READ);
        FileChannel otherIn = FileChannel.open(other, StandardOpenOption.READ)) {
      for (long at = 0; at < bytes; at += buffer.limit()) {
        final int length = (int) Math.min(BUFFER_BYTES, bytes - at);
        read(in, buffer.clear().limit(length), at);
        read(otherIn, otherBuffer.clear().limit(length), at);
        if (buffer.remaining() < length || !buffer.equals(otherBuffer)) {
          return true;
        }
      }
      return false;
    }
  }

  private static void read(final FileChannel channel, final ByteBuffer buffer, final long at)
      throws IOException {
    while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {}
    buffer.flip();
  }

  /** A mirror becomes its segment, durably. */
  private LogDirScan.Entry taken(final Path logDir, final Tail tail) throws IOException {
    if (tail.isForOperator()) {
      throw tail.refusal().refusal();
    }
    final LogDirScan.Entry segment = tail.segment();
    final Path name = segment.name();
    try (FileChannel channel = FileChannel.open(tail.mirror(), StandardOpenOption.WRITE)) {
      channel.truncate(tail.bytes());
      channel.force(true);
    }
    SegmentMove.publishHome(name, segment.target(), tail.mirror());
    names.force(name.getParent());
    names.force(logDir);
    return new LogDirScan.Entry(
        segment.partition(), name, null, tail.bytes(), Files.getLastModifiedTime(name).toMillis());
  }

  private static EventCode.Words restored(final Path logDir, final List<Tail> tails) {
    final String shown = PlainText.first(NAMES_SHOWN_MAX, tails.stream().map(Tail::words).toList());
    return StartCodes.TAILS_RESTORED.words(logDir, tails.size(), shown);
  }
}
