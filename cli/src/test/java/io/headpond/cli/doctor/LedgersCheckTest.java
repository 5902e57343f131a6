// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgersCheckTest {
  private static final String TIERED =
      "ledgerStorageClass=io.headpond.bookkeeper.ledger.TieredDbLedgerStorage\n";

  @TempDir Path root;
  private Path ledgers;
  private Path fast;

  @BeforeEach
  void directories() throws IOException {
    ledgers = Files.createDirectory(root.resolve("ledgers"));
    fast = Files.createDirectory(root.resolve("fast"));
    Files.createDirectory(root.resolve("journal"));
  }

  private Run doctor(String settings) throws IOException {
    Path conf = root.resolve("bk_server.conf");
    Files.writeString(
        conf,
        "journalDirectories="
            + root.resolve("journal")
            + "\nledgerDirectories="
            + ledgers
            + "\n"
            + settings);
    return Run.of("doctor", "--bookkeeper", conf.toString());
  }

  @Test
  void theFastDirectoryIsLookedAt() throws IOException {
    Run run =
        doctor(TIERED + "headpond.ledger.fast.directories=" + fast + "\nlogSizeLimit=1048576");
    assertThat(run.out()).contains("ledgerStorageClass is Headpond's", fast.toString());
    assertThat(run.out()).doesNotContain("has room for fewer");
  }

  @Test
  void aFastDirectoryForHardlyAnyLogIsWarnedOf() throws IOException {
    Run run =
        doctor(
            TIERED
                + "headpond.ledger.fast.directories="
                + fast
                + "\nheadpond.ledger.fast.capacity=2GiB\n");
    assertThat(run.out())
        .contains("has room for fewer than 4 entry logs", "logSizeLimit=268435456");
  }

  @Test
  void aWrongKeyEndsWithAnError() throws IOException {
    Run run = doctor(TIERED + "headpond.ledger.fast.directory=" + fast + "\n");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("headpond.ledger.fast.directory: there is no such key");
  }

  @Test
  void logsThatWereNotDrainedAreNamedWhenThePlugInIsOut() throws IOException {
    HomeIdentity.create(ledgers).writeTiers(List.of());
    assertThat(doctor("").out())
        .contains(ledgers.toString(), "isn't Headpond's", "headpond drain --bookkeeper");
  }
}
