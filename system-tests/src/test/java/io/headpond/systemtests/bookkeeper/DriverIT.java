// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The drivers and the verification themselves, on an unmodified bookie. */
@Tag("extra")
class DriverIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final int JOURNAL_HEADER_BYTES = 512;

  @Test
  void aVerificationFindsWhatABookieHasLost() throws Exception {
    try (Cluster cluster =
        new Cluster("driver", Engine.BOOKKEEPER.current(), JavaHome.current(), 1)) {
      cluster.bookie().start();
      LedgerLoad load =
          cluster.load(
              LedgerLoadSettings.of(cluster.metadataUri(), 7)
                  .bytesPerSecond(8 << 20)
                  .entriesPerLedger(3_000));
      load.start().awaitAcknowledged(8_000, PATIENCE);
      cluster.bookie().kill();
      cluster.bookie().start();
      load.awaitAcknowledged(load.figures().acknowledged() + 2_000, PATIENCE).stop();
      SentFigures figures = load.figures();
      ContentReport whole = Cluster.verified(load);
      assertThat(whole.verified()).isEqualTo(figures.acknowledged());
      assertThat(figures.failures()).as("adds that the kill cut off").isPositive();

      load.start().awaitAcknowledged(figures.acknowledged() + 2_000, PATIENCE);
      cluster.bookie().kill();
      load.stop();
      // The bookie holds its newest entries in memory and in the journal only.
      emptyJournal(cluster.bookie().journalDirs().get(0).resolve("current"));
      cluster.bookie().start();
      ContentReport report = load.verify();
      assertThat(report.lost()).as(report.toString()).isPositive();
      assertThat(report.clean()).isFalse();
      assertThat(report.verified() + report.lost()).isEqualTo(report.acknowledged());
    }
  }

  private static void emptyJournal(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.txn")) {
      for (Path file : files) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(JOURNAL_HEADER_BYTES);
        }
      }
    }
  }
}
