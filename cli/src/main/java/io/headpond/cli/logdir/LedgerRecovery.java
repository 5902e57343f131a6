// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code headpond recover} of a bookie: a lost fast device of its entry logs, given up.
 *
 * @param file the bookie's {@code bk_server.conf}
 * @param json is the result wanted as JSON?
 */
record LedgerRecovery(Path file, PrintWriter out, boolean json) {
  /** The keys by which BookKeeper starts a bookie without its cookie, and repairs it. */
  private static final List<String> INTEGRITY =
      List.of("dataIntegrityChecking=true", "dataIntegrityStampMissingCookies=true");

  record DirectoryJson(String path, List<String> fastDirectoriesLost, List<String> lostEntryLogs) {}

  record ResultJson(
      boolean done,
      List<DirectoryJson> ledgerDirectories,
      List<String> lostJournals,
      List<String> setInConfiguration) {}

  /** Prints what is lost, and gives it up if that is accepted; returns the exit code. */
  int run(boolean acceptLoss) throws IOException {
    BookieConfiguration configuration = BookieConfiguration.read(file);
    Optional<EngineLock.Holder> writer = configuration.journalWriter();
    if (writer.isPresent()) {
      throw EngineLock.inUse("the journal that " + file + " names", writer.get());
    }
    try (EngineLock locks = new EngineLock()) {
      for (LedgerPlace place : configuration.ledgers()) {
        for (Path lock : place.locks()) {
          locks.takeIndex(lock, place.ledgers());
        }
      }
      LedgerLoss loss = LedgerLoss.of(configuration);
      boolean done = acceptLoss || loss.isEmpty();
      if (!json) {
        loss(loss);
      }
      if (done) {
        loss.accept(new LogDirChanges());
      }
      if (json) {
        Json.print(out, result(loss, done));
      } else {
        end(done, loss);
      }
      return done ? 0 : 1;
    }
  }

  private static ResultJson result(LedgerLoss loss, boolean done) {
    return new ResultJson(
        done,
        loss.directories().stream()
            .map(
                each ->
                    new DirectoryJson(
                        each.path().toString(),
                        each.gone().stream().map(tier -> tier.path().toString()).toList(),
                        names(each.logs())))
            .toList(),
        loss.journals().stream().map(journal -> journal.from().toString()).toList(),
        INTEGRITY);
  }

  private static List<String> names(List<Path> logs) {
    return logs.stream().map(log -> log.getFileName().toString()).toList();
  }

  private void loss(LedgerLoss loss) {
    PrintWriter lines = new Lines(out);
    for (LedgerLoss.Directory each : loss.directories()) {
      String gone =
          each.gone().isEmpty()
              ? "its fast directory has lost "
              : "its fast directory " + each.gone().get(0).path() + " is lost, and with it ";
      lines.println(
          each.path()
              + ": "
              + gone
              + Units.count(each.logs().size(), "entry log")
              + (each.logs().isEmpty() ? "" : " (" + String.join(", ", names(each.logs())) + ")"));
    }
    for (LedgerLoss.Journal journal : loss.journals()) {
      lines.println(journal.path() + ": its journal is lost; " + journal.from() + " is missing");
    }
    lines.flush();
  }

  private void end(boolean done, LedgerLoss loss) {
    PrintWriter lines = new Lines(out);
    if (loss.isEmpty()) {
      lines.println("nothing to do: every entry log, journal and fast directory is there");
      lines.flush();
      return;
    }
    if (!done) {
      lines.println(
          "nothing was changed. If the device is only not mounted, mount it. If it is lost: give"
              + " --accept-loss. The entries that only it had must come back from other bookies.");
      lines.flush();
      return;
    }
    lines.println(
        "given up. BookKeeper doesn't start this bookie as it is: its cookie is taken away, because"
            + " it no longer has all that the cluster's metadata says.");
    lines.println("To get back here what other bookies have, set in " + file + ":");
    INTEGRITY.forEach(setting -> lines.println("  " + setting));
    lines.println(
        "and start it. Where no other bookie has a copy, or as a new, empty bookie: see \"A bookie's"
            + " fast device that is lost\" in docs/safety.md");
    lines.flush();
  }
}
