// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Pulsar in a {@link JournalDemo}: two clusters of a ZooKeeper, a bookie and a broker. */
final class PulsarJournals implements JournalEngine<PulsarResult> {

  static final JournalWords WORDS =
      new JournalWords(
          512L << 20,
          2L << 30,
          "unmodified Pulsars",
          List.of(
              "Each has a ZooKeeper, a bookie and a broker as processes of their own, because"
                  + " Pulsar's",
              "standalone keeps journal and ledgers in one directory. Both have the same settings"
                  + " and",
              "the same load, and take turns, so that neither disturbs the other."),
          ", the queue waits",
          "the bookie is back; the broker opens new ledgers",
          "rate, as asked for",
          "the bookie once",
          "a message");

  @Override
  public JournalWords words() {
    return WORDS;
  }

  @Override
  public JournalRun<PulsarResult> prepare(
      DemoPlace place, LiveBlock screen, EngineRelease release, Duration duration)
      throws IOException {
    return new PulsarRun(place, screen, release, duration);
  }

  @Override
  public String verdict(PulsarResult r) {
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged message");
    if (r.clean()) {
      return "All " + acknowledged + " are there, each compared byte by byte.";
    }
    return String.format(
        Locale.ROOT,
        "SOMETHING IS WRONG: of %s %,d verified, %,d lost, %,d corrupt; the stream missed %,d and"
            + " got %,d out of order, the queue missed %,d of its backlog of up to %,d.",
        acknowledged,
        r.recordsVerified(),
        r.recordsLost(),
        r.recordsCorrupt(),
        r.streamRecordsMissing(),
        r.streamRecordsDisordered(),
        r.queueRecordsMissing(),
        r.backlogRecords());
  }

  @Override
  public List<String> more(PulsarResult r) {
    List<String> lines = new ArrayList<>();
    if (r.clean()) {
      lines.add("stream (exclusive)    got every message, each partition as it lies in the topic");
      lines.add(
          String.format(
              Locale.ROOT,
              "queue (shared)        got every message; a backlog of %,d drained beside publishing",
              r.backlogRecords()));
    }
    if (r.recordsDuplicated() + r.recordsRedelivered() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "twice                 %,d sent again after the kill, %,d delivered again",
              r.recordsDuplicated(),
              r.recordsRedelivered()));
    }
    if (r.recordsDisordered() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "order                 %,d of those sent again lie behind later ones: Pulsar's broker"
                  + " put them there",
              r.recordsDisordered()));
    }
    return lines;
  }
}
