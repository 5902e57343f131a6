// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.store.claim.OrphanSweep;
import io.headpond.store.event.PlainText;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.layout.ShutdownCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Checks one log directory: links, tiers, and every batch of every segment. Only reads, but for the
 * note that a device's lost writes have damaged nothing.
 */
final class LogDirCheck {
  /** A log directory in ruins may have a finding per file; the rest is counted. */
  static final int FINDINGS_MAX = 10_000;

  /** Maximum attempts at a running broker's segment before a finding counts. */
  private static final int ATTEMPTS_MAX = 5;

  private static final long ATTEMPT_PAUSE_MS = 200;
  private static final int DIGITS = 20;

  private final Path logDir;
  private final LogDirState state;
  private final Progress progress;
  private final DeviceCounts counts;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<TierRef> damaged = new HashSet<>();
  private final Totals totals = new Totals();
  private KnownTiers tiers;
  private long findingsLeftOut;
  private long problems;

  LogDirCheck(Path logDir, LogDirState state, Progress progress, DeviceCounts counts) {
    this.logDir = logDir;
    this.state = state;
    this.progress = progress;
    this.counts = counts;
  }

  /** The amounts that were examined. */
  static final class Totals {
    long partitions;
    long homeSegments;
    long tierSegments;
    long bytes;
    long batches;
    long records;
  }

  /** Checks everything; what can't be read is a finding, too. */
  void run() {
    try {
      check();
    } catch (IOException e) {
      add(Finding.unreadable(logDir, e));
    }
  }

  private void check() throws IOException {
    tiers = KnownTiers.examined(logDir, this::add);
    List<Path> partitions = LogDirScan.partitions(logDir);
    boolean all = true;
    for (Path partition : partitions) {
      totals.partitions++;
      progress.show(
          String.format(
              "%s: partition %,d of %,d, %s read",
              partition.getFileName(),
              totals.partitions,
              partitions.size(),
              Units.bytes(totals.bytes)));
      try {
        partition(partition);
      } catch (IOException e) {
        all = false;
        add(Finding.problem(Finding.Kind.UNREADABLE, partition, PlainText.reason(e)));
      }
    }
    Optional<Path> hidden = OrphanSweep.linkToNowhere(logDir);
    if (hidden.isPresent()) {
      all = false;
      String detail = "leads nowhere; " + LogDirState.HIDDEN_REMEDY;
      add(Finding.problem(Finding.Kind.UNREADABLE, hidden.get(), detail));
    }
    if (all) { // or what a name needs that couldn't be read would be called needless
      nameless();
      if (tiers.home().isPresent() && state != LogDirState.RUNNING) {
        lostWrites();
      }
    }
  }

  /**
   * Notes the counts of devices that have lost writes, where no segment is damaged: until then the
   * start is refused. Takes the engine's lock for that alone.
   */
  private void lostWrites() throws IOException {
    HomeIdentity identity = HomeIdentity.read(logDir).orElseThrow();
    boolean noted = false;
    for (TierRef tier : tiers.tiers()) {
      String before = identity.shutdowns(tier.id());
      String now = tiers.unusable(tier) ? "" : counts.of(tier.path());
      if (!ShutdownCounts.changed(before, now)) {
        continue;
      }
      String detail = "it lost writes (dirty_shutdown " + before + ", now " + now + "); ";
      if (damaged.contains(tier)) {
        String remedy = "segments there are damaged: headpond recover FILE --tier " + tier.tier();
        add(Finding.problem(Finding.Kind.LOST_WRITES, tier.path(), detail + remedy));
      } else {
        identity.noteShutdowns(tier.id(), now);
        noted = true;
        String outcome = "no segment there is damaged, so the next start goes ahead";
        add(Finding.note(Finding.Kind.LOST_WRITES, tier.path(), detail + outcome));
      }
    }
    if (noted) {
      try (EngineLock locks = new EngineLock()) {
        locks.takeLogDir(logDir);
        identity.writeTiers(identity.tiers());
      }
    }
  }

  private void nameless() throws IOException {
    unfinishedMoves();
    // Beside a running broker links come and go between the two listings: it sweeps by itself.
    if (tiers.home().isPresent() && state != LogDirState.RUNNING) {
      tiers.leftovers(this::add);
    }
  }

  private void partition(Path partition) throws IOException {
    for (Path file : LogDirLoss.aside(partition)) {
      String detail = "taken out of its log by recover; delete it when nobody needs it";
      add(Finding.note(Finding.Kind.SET_ASIDE, file, detail));
    }
    List<LogDirScan.Entry> segments = LogDirScan.segments(partition);
    // In the middle of a compaction's renames old and new segments overlap; Kafka sorts that out.
    boolean swapping = segments.stream().anyMatch(s -> s.name().toString().endsWith(".swap"));
    long nextOffset = 0;
    for (LogDirScan.Entry segment : segments) {
      long problemsBefore = problems;
      SegmentCheck.Result result = link(segment) && isData(segment) ? content(segment) : null;
      if (problems > problemsBefore && segment.linked()) {
        tiers.tierOf(segment.target()).ifPresent(damaged::add);
      }
      if (result != null && !swapping && isPlain(segment)) {
        long base = baseOffset(segment.name());
        if (base < nextOffset && !vanished(segment)) {
          String detail = "the segment before it ends with offset " + (nextOffset - 1);
          add(Finding.problem(Finding.Kind.OVERLAPPING_SEGMENTS, segment.name(), detail));
        }
        nextOffset = result.nextOffset();
      }
    }
  }

  /** Checks where a name leads; true if there is a file to read. */
  private boolean link(LogDirScan.Entry segment) throws IOException {
    if (!segment.linked()) {
      totals.homeSegments++;
      if (segment.dangling()) {
        add(Finding.problem(Finding.Kind.UNREADABLE, segment.name(), "not a regular file"));
        return false;
      }
      return true;
    }
    Optional<TierRef> tier = tiers.tierOf(segment.target());
    totals.tierSegments++;
    if (tier.isEmpty()) {
      add(outside(segment));
      return false; // whatever it leads to is none of our business
    }
    Optional<Path> other = tiers.claim(segment.target(), segment.name());
    if (other.isPresent()) {
      String detail = other.get() + " links to the same tier file " + segment.target();
      add(Finding.problem(Finding.Kind.SHARED_TIER_FILE, segment.name(), detail));
    }
    if (segment.dangling()) {
      add(dangling(segment, tier.get()));
      return false;
    }
    return true;
  }

  private Finding outside(LogDirScan.Entry segment) {
    String detail =
        "it links to "
            + segment.target()
            + ", which is in no tier of this log directory"
            + (tiers.home().isEmpty() ? " (it has no readable identity file)" : "");
    return Finding.problem(Finding.Kind.LINK_OUTSIDE_TIERS, segment.name(), detail);
  }

  private Finding dangling(LogDirScan.Entry segment, TierRef tier) {
    String detail = "its tier file " + segment.target() + " isn't there";
    if (!segment.lost()) {
      return Finding.note(
          Finding.Kind.DANGLING_DELETED, segment.name(), detail + "; the engine is deleting it");
    }
    String remedy =
        tiers.unusable(tier)
            ? "; mount tier " + tier.tier()
            : "; if this is a copy that kept links, copy the log directory's data instead (rsync"
                + " -L); else restore the file, or if it is lost for good: headpond recover FILE"
                + " --tier "
                + tier.tier();
    return Finding.problem(Finding.Kind.LOST_SEGMENT, segment.name(), detail + remedy);
  }

  /** Half-written compaction output and what is about to be deleted hold no data of the log. */
  private static boolean isData(LogDirScan.Entry segment) {
    String name = segment.name().getFileName().toString();
    return !name.endsWith(".deleted")
        && !name.endsWith(".cleaned")
        && !segment.partition().endsWith("-delete");
  }

  private static boolean isPlain(LogDirScan.Entry segment) {
    return SegmentName.isPlain(segment.name().getFileName().toString());
  }

  /** Reads a segment and collects what is wrong; null if it couldn't be read. */
  private SegmentCheck.Result content(LogDirScan.Entry segment) {
    List<Finding> found = List.of();
    SegmentCheck.Result result = null;
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        result = SegmentCheck.run(segment.name(), baseOffset(segment.name()));
        boolean last = result.tail() != SegmentCheck.Tail.NONE && isLast(segment);
        found = judge(segment.name(), result, last);
        if (found.stream().noneMatch(Finding::isProblem) || state != LogDirState.RUNNING) {
          break;
        }
      } catch (IOException | RuntimeException e) {
        if (vanished(segment)) {
          return null;
        }
        String reason = PlainText.reason(e);
        found = List.of(Finding.problem(Finding.Kind.UNREADABLE, segment.name(), reason));
      }
      if (state != LogDirState.RUNNING) {
        break;
      }
      // The broker may have been writing, rolling or deleting it: look again.
      pause();
    }
    if (vanished(segment)) {
      return null;
    }
    found.forEach(this::add);
    if (result != null) {
      totals.bytes += result.bytes();
      totals.batches += result.batches();
      totals.records += result.records();
    }
    return result;
  }

  private boolean vanished(LogDirScan.Entry segment) {
    return state == LogDirState.RUNNING && !Files.exists(segment.name(), LinkOption.NOFOLLOW_LINKS);
  }

  private static void pause() {
    try {
      Thread.sleep(ATTEMPT_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long baseOffset(Path name) {
    return Long.parseLong(name.getFileName().toString().substring(0, DIGITS));
  }

  /** Asked anew each time: a running broker may have rolled since the partition was listed. */
  private static boolean isLast(LogDirScan.Entry segment) throws IOException {
    String last = "";
    for (LogDirScan.Entry other : LogDirScan.segments(segment.name().getParent())) {
      String name = other.name().getFileName().toString();
      if (SegmentName.isPlain(name)) {
        last = name;
      }
    }
    return segment.name().getFileName().toString().equals(last);
  }

  private List<Finding> judge(Path name, SegmentCheck.Result result, boolean last) {
    List<Finding> found = new ArrayList<>();
    for (SegmentCheck.Fault fault : result.faults()) {
      String detail =
          "offset "
              + fault.offset()
              + ", batch at byte "
              + fault.position()
              + ": "
              + fault.detail();
      found.add(Finding.problem(fault.kind(), name, detail));
    }
    leftOut(result.faultsLeftOut());
    if (result.tail() == SegmentCheck.Tail.NONE) {
      return found;
    }
    Finding.Kind kind =
        result.tail() == SegmentCheck.Tail.ZERO ? Finding.Kind.ZERO_TAIL : Finding.Kind.TORN_TAIL;
    String tail = result.tailText();
    if (!last) {
      // facts of Kafka's LogLoader: recovery cuts the tail and deletes all later segments.
      String detail = tail + "; Kafka's recovery would delete every later segment of the partition";
      found.add(Finding.problem(kind, name, detail));
    } else if (state == LogDirState.STOPPED) {
      found.add(Finding.problem(kind, name, tail + ", although the broker stopped cleanly"));
    } else if (state == LogDirState.NOT_CLEANLY_STOPPED) {
      found.add(Finding.note(kind, name, tail + "; Kafka cuts it off at the next start"));
    }
    return found;
  }

  private void unfinishedMoves() throws IOException {
    if (state != LogDirState.RUNNING) {
      for (Path file : LogDirScan.unfinishedMoves(logDir)) {
        String detail = "left by a move that was interrupted; the next start removes it";
        add(Finding.note(Finding.Kind.UNFINISHED_MOVE, file, detail));
      }
    }
  }

  private void leftOut(long problemCount) {
    problems += problemCount;
    findingsLeftOut += problemCount;
  }

  private void add(Finding finding) {
    problems += finding.isProblem() ? 1 : 0;
    if (findings.size() < FINDINGS_MAX) {
      findings.add(finding);
    } else {
      findingsLeftOut++;
    }
  }

  /** The findings, at most {@link #FINDINGS_MAX}. */
  List<Finding> findings() {
    return findings;
  }

  /** The number of problems, including those left out. */
  long problems() {
    return problems;
  }

  /** The number of findings left out. */
  long findingsLeftOut() {
    return findingsLeftOut;
  }

  /** The amounts that were examined. */
  Totals totals() {
    return totals;
  }

  /** The log directory's identifier; empty if it has none, or it couldn't be read. */
  Optional<UUID> home() {
    return tiers == null ? Optional.empty() : tiers.home();
  }
}
