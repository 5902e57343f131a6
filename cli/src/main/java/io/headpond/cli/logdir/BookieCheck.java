// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Progress;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks all directories of a bookie. */
final class BookieCheck {
  /** The findings, for JSON. */
  record ResultJson(
      boolean ok,
      boolean running,
      long problems,
      long notes,
      long durationMs,
      List<LedgerDirCheck.ResultJson> ledgerDirectories,
      List<JournalDirCheck.ResultJson> journalDirectories) {}

  private BookieCheck() {}

  /** Reads everything. */
  static ResultJson run(BookieConfiguration configuration, Progress progress) throws IOException {
    long started = System.nanoTime();
    boolean running = configuration.running().isPresent();
    List<LedgerDirCheck.ResultJson> ledgers = new ArrayList<>();
    for (LedgerPlace place : configuration.ledgers()) {
      ledgers.add(new LedgerDirCheck(place, running, progress).run());
    }
    List<JournalDirCheck.ResultJson> journals = new ArrayList<>();
    List<Path> directories = configuration.journals();
    for (int i = 0; i < directories.size(); i++) {
      List<Path> marks = configuration.marks(i);
      journals.add(new JournalDirCheck(directories.get(i), marks, running, progress).run());
    }
    List<VerifyCommand.FindingJson> all =
        Stream.concat(
                ledgers.stream().map(LedgerDirCheck.ResultJson::findings),
                journals.stream().map(JournalDirCheck.ResultJson::findings))
            .flatMap(List::stream)
            .toList();
    long problems = all.stream().filter(VerifyCommand.FindingJson::wrong).count();
    return new ResultJson(
        problems == 0,
        running,
        problems,
        all.size() - problems,
        (System.nanoTime() - started) / 1_000_000,
        ledgers,
        journals);
  }
}
