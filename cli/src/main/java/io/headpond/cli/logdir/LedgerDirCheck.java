// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that every entry log's name in a bookie's ledger directory leads to a whole file. Only
 * reads.
 */
final class LedgerDirCheck {
  private final LedgerPlace place;
  private final boolean running;
  private final Progress progress;
  private final List<Finding> findings = new ArrayList<>();
  private long logs;
  private long fastLogs;
  private long entries;
  private long bytes;

  /** The findings, for JSON. */
  record ResultJson(
      String path,
      long entryLogs,
      long entryLogsFast,
      long entryLogsHome,
      long entries,
      long bytes,
      List<VerifyCommand.FindingJson> findings) {}

  LedgerDirCheck(LedgerPlace place, boolean running, Progress progress) {
    this.place = place;
    this.running = running;
    this.progress = progress;
  }

  /** Reads everything; what is wrong is a finding. */
  ResultJson run() {
    try {
      check();
    } catch (IOException e) {
      findings.add(Finding.unreadable(place.ledgers(), e));
    }
    return new ResultJson(
        place.ledgers().toString(),
        logs,
        fastLogs,
        logs - fastLogs,
        entries,
        bytes,
        VerifyCommand.FindingJson.of(findings));
  }

  private void check() throws IOException {
    Path directory = place.ledgers();
    if (!Files.isDirectory(directory.resolve(BookieConfiguration.CURRENT))) {
      throw new NoSuchFileException(directory.resolve(BookieConfiguration.CURRENT).toString());
    }
    KnownTiers fast = KnownTiers.examinedLedgers(directory, findings::add);
    List<LogDirScan.Entry> found = place.entryLogs();
    for (LogDirScan.Entry log : found) {
      logs++;
      progress.show(
          String.format(
              "%s: entry log %,d of %,d, %s read",
              directory, logs, found.size(), Units.bytes(bytes)));
      if (leads(log, fast)) {
        content(log.name());
      }
    }
    // Beside a running bookie names come and go between two listings: it sweeps at its start.
    if (!running && fast.home().isPresent()) {
      fast.leftovers(findings::add);
      for (Path file : LogDirScan.unfinishedMoves(directory)) {
        String detail = "left by a move that was interrupted; the next start removes it";
        findings.add(Finding.note(Finding.Kind.UNFINISHED_MOVE, file, detail));
      }
    }
  }

  /** Checks where a name leads; is there a file to read? */
  private boolean leads(LogDirScan.Entry log, KnownTiers fast) throws IOException {
    if (!log.linked()) {
      if (log.dangling()) {
        findings.add(Finding.problem(Finding.Kind.UNREADABLE, log.name(), "not a regular file"));
      }
      return !log.dangling();
    }
    fastLogs++;
    Optional<TierRef> tier = fast.tierOf(log.target());
    if (tier.isEmpty() || !log.target().endsWith(log.name().getFileName())) {
      String detail = "it links to " + log.target() + ", which isn't its file on the fast device";
      findings.add(Finding.problem(Finding.Kind.LINK_OUTSIDE_TIERS, log.name(), detail));
    } else {
      fast.claim(log.target(), log.name());
    }
    if (!log.dangling() || running && Files.exists(log.name())) {
      return true; // it may have moved home between two looks
    }
    if (!running || Files.exists(log.name(), LinkOption.NOFOLLOW_LINKS)) {
      findings.add(lost(log, tier.filter(fast::unusable)));
    }
    return false;
  }

  private static Finding lost(LogDirScan.Entry log, Optional<TierRef> missing) {
    String remedy =
        missing
            .map(tier -> "mount " + tier.path())
            .orElse("if it is lost for good: headpond recover CONF");
    return Finding.problem(
        Finding.Kind.LOST_SEGMENT,
        log.name(),
        "its file " + log.target() + " isn't there; " + remedy);
  }

  private void content(Path log) {
    try {
      EntryLogCheck.Result result = EntryLogCheck.run(log);
      entries += result.entries();
      bytes += result.bytes();
      if (result.fault() != null) {
        findings.add(Finding.problem(Finding.Kind.CORRUPT_ENTRY_LOG, log, result.fault()));
      } else if (result.tail() != null && !running) {
        String detail = result.tail() + "; what was acknowledged of it is in the journal";
        findings.add(Finding.note(Finding.Kind.TORN_TAIL, log, detail));
      }
    } catch (IOException e) {
      if (!running || Files.exists(log, LinkOption.NOFOLLOW_LINKS)) {
        findings.add(Finding.unreadable(log, e));
      }
    }
  }
}
