// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond verify}: is everything in these directories right? */
@Command(
    name = "verify",
    description = {
      "Check a broker's log directories, or a bookie's: links, files, checksums.",
      "",
      "For a broker: links, tiers, and the CRC of every record batch. For a bookie: a whole file"
          + " behind the name of every entry log, all journals that a restart replays, and records"
          + " of them that aren't whole.",
      "",
      "Beside a running broker or bookie, too: what it is changing meanwhile is read again or left",
      "out. A note is something that the next start takes care of; a problem is data that is",
      "wrong, missing or at risk, and gives exit code 1.",
      "",
      "It only reads, with one exception. If a tier's device has lost writes in a power failure and no",
      "segment there is damaged, it notes the device's count, so that the next start goes ahead."
    },
    footer = {
      "  headpond verify /var/lib/kafka",
      "  headpond verify --json /data1/kafka /data2/kafka",
      "  headpond verify --bookkeeper conf/bk_server.conf"
    })
public final class VerifyCommand extends StandardCommand {
  private static final int NOTES_SHOWN_MAX = 10;

  @Parameters(
      arity = "0..*",
      paramLabel = "LOGDIR",
      description = "Directories of the broker's log.dirs; give them all for the best check.")
  private List<Path> logDirs = new ArrayList<>();

  @Option(
      names = "--bookkeeper",
      paramLabel = "FILE",
      description = "A bookie's bk_server.conf: its ledger and journal directories are checked.")
  private Path bookkeeper;

  @Mixin private JsonOption json;

  record FindingJson(String severity, String kind, String path, String detail) {
    private static final String PROBLEM = "problem";

    static List<FindingJson> of(List<Finding> findings) {
      return findings.stream()
          .map(
              finding ->
                  new FindingJson(
                      finding.isProblem() ? PROBLEM : "note",
                      finding.kind().key(),
                      finding.path().toString(),
                      finding.detail()))
          .toList();
    }

    boolean wrong() {
      return severity.equals(PROBLEM);
    }
  }

  record LogDirJson(
      String path,
      String state,
      long partitions,
      long segments,
      long segmentsInTiers,
      long segmentsAtHome,
      long batches,
      long records,
      long bytes,
      long problems,
      long notes,
      long findingsLeftOut,
      List<FindingJson> findings) {}

  record ResultJson(
      boolean ok, long problems, long notes, long durationMs, List<LogDirJson> logDirs) {}

  @Override
  public Integer call() throws IOException {
    if (logDirs.isEmpty() == (bookkeeper == null)) {
      throw wrongUsage("give either LOGDIR or --bookkeeper FILE, and not both");
    }
    return bookkeeper == null ? checkLogDirs() : checkBookie();
  }

  private int checkBookie() throws IOException {
    BookieCheck.ResultJson result;
    try (Progress progress = new Progress(err())) {
      result = BookieCheck.run(BookieConfiguration.read(bookkeeper), progress);
    }
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result);
    } else {
      print(new Lines(out), result);
    }
    return result.ok() ? 0 : 1;
  }

  private static void print(PrintWriter out, BookieCheck.ResultJson result) {
    for (LedgerDirCheck.ResultJson ledgers : result.ledgerDirectories()) {
      out.println("ledgers " + ledgers.path());
      out.println(
          "  "
              + String.join(
                  ", ",
                  Units.count(ledgers.entryLogs(), "entry log")
                      + " ("
                      + ledgers.entryLogsFast()
                      + " on the fast device, "
                      + ledgers.entryLogsHome()
                      + " at home)",
                  Units.count(ledgers.entries(), "entry", "entries"),
                  Units.bytes(ledgers.bytes())));
      findings(out, ledgers.findings());
    }
    for (JournalDirCheck.ResultJson journal : result.journalDirectories()) {
      out.println("journal " + journal.path());
      out.println(
          "  "
              + Units.count(journal.files(), "file")
              + ", "
              + Units.count(journal.records(), "record")
              + " ("
              + Units.bytes(journal.recordBytes())
              + " of "
              + Units.bytes(journal.bytes())
              + "); a restart begins with "
              + (journal.replayedFrom() == null ? "the oldest" : journal.replayedFrom()));
      findings(out, journal.findings());
    }
    verdict(out, result.problems(), Duration.ofMillis(result.durationMs()));
  }

  private int checkLogDirs() throws IOException {
    long started = System.nanoTime();
    Set<Path> real = new LinkedHashSet<>();
    List<LogDirJson> results = new ArrayList<>();
    for (Path given : logDirs) {
      try {
        real.add(LogDirState.logDir(given));
      } catch (IOException e) {
        results.add(unread(given, e));
      }
    }
    Map<UUID, Path> homes = new HashMap<>();
    for (Path logDir : real) {
      try {
        results.add(check(logDir, LogDirState.of(logDir), homes));
      } catch (IOException e) {
        results.add(unread(logDir, e));
      }
    }
    long problems = results.stream().mapToLong(LogDirJson::problems).sum();
    long notes = results.stream().mapToLong(LogDirJson::notes).sum();
    Duration time = Duration.ofNanos(System.nanoTime() - started);
    ResultJson result = new ResultJson(problems == 0, problems, notes, time.toMillis(), results);
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result);
    } else {
      print(new Lines(out), result, time);
    }
    return problems == 0 ? 0 : 1;
  }

  /** The others are checked all the same. */
  private static LogDirJson unread(Path logDir, IOException cause) {
    List<Finding> found = List.of(Finding.unreadable(logDir, cause));
    return new LogDirJson(
        logDir.toString(), "unreadable", 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, FindingJson.of(found));
  }

  private LogDirJson check(Path logDir, LogDirState state, Map<UUID, Path> homes) {
    LogDirCheck check;
    try (Progress progress = new Progress(err())) {
      check = new LogDirCheck(logDir, state, progress, DeviceCounts.KERNEL);
      check.run();
    }
    List<Finding> findings = new ArrayList<>(check.findings());
    Path other = check.home().map(id -> homes.putIfAbsent(id, logDir)).orElse(null);
    if (other != null) {
      findings.add(duplicate(logDir, other));
    }
    long problems = check.problems() + (other == null ? 0 : 1);
    LogDirCheck.Totals totals = check.totals();
    return new LogDirJson(
        logDir.toString(),
        state.key(),
        totals.partitions,
        totals.homeSegments + totals.tierSegments,
        totals.tierSegments,
        totals.homeSegments,
        totals.batches,
        totals.records,
        totals.bytes,
        problems,
        findings.stream().filter(finding -> !finding.isProblem()).count(),
        check.findingsLeftOut(),
        FindingJson.of(findings));
  }

  private static Finding duplicate(Path logDir, Path other) {
    return Finding.problem(
        Finding.Kind.DUPLICATE_HOME,
        logDir,
        "it has the same identity as " + other + ": one is a copy; don't start a broker on both");
  }

  private static void print(PrintWriter out, ResultJson result, Duration time) {
    for (LogDirJson logDir : result.logDirs()) {
      out.println(logDir.path() + " (" + logDir.state().replace('_', ' ') + ")");
      out.println(
          "  "
              + String.join(
                  ", ",
                  Units.count(logDir.partitions(), "partition"),
                  Units.count(logDir.segments(), "segment")
                      + " ("
                      + logDir.segmentsInTiers()
                      + " in tiers, "
                      + logDir.segmentsAtHome()
                      + " at home)",
                  Units.count(logDir.batches(), "batch", "batches"),
                  Units.count(logDir.records(), "record"),
                  Units.bytes(logDir.bytes())));
      findings(out, logDir.findings());
      if (logDir.findingsLeftOut() > 0) {
        out.println("  ... and " + Units.count(logDir.findingsLeftOut(), "finding") + " left out");
      }
    }
    verdict(out, result.problems(), time);
  }

  private static void findings(PrintWriter out, List<FindingJson> findings) {
    long notes = 0;
    for (FindingJson finding : findings) {
      boolean note = !finding.wrong();
      if (!note || ++notes <= NOTES_SHOWN_MAX) {
        out.println(
            (note ? "  note: " : "  PROBLEM: ")
                + finding.kind().replace('_', ' ')
                + ": "
                + finding.path()
                + ": "
                + finding.detail());
      }
    }
    if (notes > NOTES_SHOWN_MAX) {
      out.println("  ... and " + Units.count(notes - NOTES_SHOWN_MAX, "note") + " more (--json)");
    }
  }

  private static void verdict(PrintWriter out, long problems, Duration time) {
    out.println(
        (problems == 0 ? "OK: nothing wrong" : Units.count(problems, "problem") + " found")
            + " ("
            + Units.duration(time)
            + ")");
    out.flush();
  }
}
