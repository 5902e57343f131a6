// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BookkeeperCheckTest {
  private static final String PROVIDER =
      "journalChannelProvider=io.headpond.bookkeeper.PmemJournalChannelProvider";

  @TempDir Path root;
  private Path journal;
  private Path other;
  private Path ledgers;

  @BeforeEach
  void makeDirectories() throws IOException {
    journal = Files.createDirectory(root.resolve("journal"));
    other = Files.createDirectory(root.resolve("other journal"));
    ledgers = Files.createDirectory(root.resolve("ledgers"));
  }

  private Run doctor(String... lines) throws IOException {
    return doctorOf(journal.toString(), lines);
  }

  private Run doctorOf(String journals, String... lines) throws IOException {
    String all =
        "journalDirectories="
            + journals
            + "\nledgerDirectories="
            + ledgers
            + "\n"
            + String.join("\n", lines);
    Path config = Files.writeString(root.resolve("bk_server.conf"), all);
    return Run.of("doctor", "--bookkeeper", config.toString());
  }

  @Test
  void aBookieIsToldNothingOfBrokers() throws IOException {
    assertThat(doctor(PROVIDER).out()).doesNotContain("Kafka", "broker");
  }

  @Test
  void aJournalThatABookieHasWrittenIsNotMadeAnew() throws IOException {
    Files.delete(journal);
    assertThat(doctor(PROVIDER).out())
        .containsPattern("wrong +" + journal + ": isn't there\n")
        .contains("mkdir -p '" + journal + "' && chown ");
    Path cookie = Files.createDirectory(ledgers.resolve("current")).resolve("VERSION");
    Files.createFile(cookie);
    Run run = doctor(PROVIDER);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("has run: it has " + cookie, "headpond recover ")
        .doesNotContain("mkdir");
  }

  @Test
  void aKeyOfNoPartOfHeadpondIsWrongWhereItIsRefused() throws IOException {
    Run run = doctor(PROVIDER, "headpond.jounral.accept=true");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("headpond.jounral.accept: there is no such key");
    assertThat(doctor("headpond.jounral.accept=true").out()).doesNotContain("no such key");
  }

  @Test
  void anotherDirectoryInTheJournalsPlaceIsToldOf() throws IOException {
    assertThat(doctor(PROVIDER).out()).doesNotContain("InvalidCookieException");
    Files.createFile(Files.createDirectory(ledgers.resolve("current")).resolve("VERSION"));
    assertThat(doctor(PROVIDER).out())
        .containsPattern("warning +" + journal + ": has no ")
        .contains("InvalidCookieException", "mount its device");
    Files.createFile(Files.createDirectory(journal.resolve("current")).resolve("VERSION"));
    assertThat(doctor(PROVIDER).out()).doesNotContain("InvalidCookieException");
  }

  @Test
  void takingThePlugInOutWithoutSyncingIsWrong() throws IOException {
    Run run = doctor("journalSyncData=false");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("wrong").contains("set journalSyncData=true");
    assertThat(doctor("journalSyncData=true").exitCode()).isZero();
  }

  @Test
  void acknowledgingWhatIsNotDurableIsWrongUnlessAccepted() throws IOException {
    Run refused = doctor(PROVIDER, "journalSyncData=false");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.out())
        .contains("HP0701 journal " + journal)
        .contains("Set journalSyncData=true")
        .contains("1 thing wrong");
    Run accepted =
        doctor(PROVIDER, "journalSyncData=false", "headpond.journal.accept.unsynced=true");
    assertThat(accepted.exitCode()).as(accepted.out()).isZero();
    assertThat(accepted.out()).contains("HP0702", "as accepted");
  }

  /** A standalone's bookie has one directory for all, which only its command line names. */
  @Test
  void aStandalonePulsarIsToldWhereItsJournalLies() throws IOException {
    Path config =
        Files.writeString(
            root.resolve("standalone.conf"),
            PROVIDER + "\nwebServicePort=8080\njournalSyncData=true");
    Run run = Run.of("doctor", "--bookkeeper", config.toString());
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .contains("--bookkeeper-dir", "data/standalone/bookkeeper")
        .doesNotContain("bk-txn");
  }

  /** BookKeeper would go on with the first of them. */
  @Test
  void aKeyThatIsGivenTwiceIsWrong() throws IOException {
    Run run = doctor(PROVIDER, "ledgerDirectories=" + other);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("ledgerDirectories is given more than once");
    assertThat(doctor(PROVIDER).out()).doesNotContain("more than once");
  }
}
