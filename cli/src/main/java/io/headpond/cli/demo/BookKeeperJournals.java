// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** BookKeeper in a {@link JournalDemo}: two bookies, alone in their clusters. */
final class BookKeeperJournals implements JournalEngine<BookKeeperResult> {

  static final JournalWords WORDS =
      new JournalWords(
          768L << 20,
          3L << 30,
          "unmodified bookies",
          List.of(
              "Both have the same settings, those of a fast journal, and the same load. They take"
                  + " turns,",
              "so that neither disturbs the other."),
          "",
          "the bookie is back",
          "rate",
          "once",
          "an entry");

  @Override
  public JournalWords words() {
    return WORDS;
  }

  @Override
  public JournalRun<BookKeeperResult> prepare(
      DemoPlace place, LiveBlock screen, EngineRelease release, Duration duration)
      throws IOException {
    return new BookKeeperRun(place, screen, release, duration);
  }

  @Override
  public String verdict(BookKeeperResult r) {
    String acknowledged =
        Units.count(r.recordsAcknowledged(), "acknowledged entry", "acknowledged entries");
    if (r.clean()) {
      return "All " + acknowledged + " are there, each compared byte by byte.";
    }
    return String.format(
        Locale.ROOT,
        "SOMETHING IS WRONG: of %s %,d verified, %,d lost, %,d corrupt; %s in the fast journal.",
        acknowledged,
        r.recordsVerified(),
        r.recordsLost(),
        r.recordsCorrupt(),
        Units.bytes(r.journalBytes()));
  }

  @Override
  public List<String> more(BookKeeperResult r) {
    return List.of();
  }
}
