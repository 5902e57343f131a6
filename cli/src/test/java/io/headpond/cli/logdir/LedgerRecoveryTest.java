// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.bookkeeper.ledger.PlaceCheck;
import io.headpond.cli.Run;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerRecoveryTest {
  private static final int JOURNAL = 7;

  @TempDir Path root;
  private BookieFixture bookie;

  @BeforeEach
  void makeBookie() throws IOException {
    makeBookie(root);
  }

  private void makeBookie(Path folder) throws IOException {
    bookie = new BookieFixture(folder);
    bookie.homeLog(9, BookieFixture.entryLog(3, true));
    bookie.fastLog(10, BookieFixture.entryLog(3, true));
    bookie.fastLog(11, BookieFixture.entryLog(3, false));
    bookie.journal(JOURNAL, 2);
    bookie.mark(JOURNAL);
    Files.writeString(bookie.home.resolve("VERSION"), "4\n");
  }

  private void loseFastDevice() throws IOException {
    delete(bookie.fast);
    Files.createDirectory(bookie.fast);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }

  private Run recover(String... options) {
    String[] all = {"recover", bookie.conf.toString()};
    return Run.of(Stream.concat(Stream.of(all), Stream.of(options)).toArray(String[]::new));
  }

  private List<String> everything() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  /** What a start needs: the cookie is gone, and no name leads nowhere. */
  private void isGivenUp() throws IOException {
    assertThat(bookie.home.resolve("VERSION")).doesNotExist();
    assertThat(PlaceCheck.forgotten(bookie.ledgers)).exists();
    assertThat(bookie.home.resolve("9.log")).isRegularFile();
    for (String lost : List.of("a.log", "b.log")) {
      assertThat(Files.exists(bookie.home.resolve(lost), LinkOption.NOFOLLOW_LINKS)).isFalse();
    }
    assertThat(HomeIdentity.read(bookie.ledgers).orElseThrow().tiers()).isEmpty();
    assertThat(PlaceCheck.refusal(bookie.ledgers, bookie.ledgers, bookie.fast, true)).isEmpty();
  }

  @Test
  void aBookieThatWritesItsJournalIsLeftAlone() throws IOException {
    Path current = Files.createFile(bookie.journal.resolve("191.txn"));
    try (LockHolder writer = new LockHolder(current)) {
      Run run = recover("--accept-loss");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("is in use by process " + writer.pid());
    }
  }

  @Test
  void whatIsLostIsSaidAndNothingIsChangedUntilItIsAccepted() throws IOException {
    loseFastDevice();
    List<String> before = everything();
    Run run = recover();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains(bookie.fast + " is lost", "2 entry logs (a.log, b.log)", "--accept-loss");
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void theCookieGoesWithTheLostEntryLogs() throws IOException {
    loseFastDevice();
    Run run = recover("--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("dataIntegrityChecking=true", "cookie");
    isGivenUp();
    assertThat(bookie.home.resolve("lastMark")).as("the journal is there").exists();
  }

  @Test
  void aJournalOnTheLostDeviceIsGivenUpToo() throws IOException {
    loseFastDevice();
    delete(bookie.journal);
    Run run = recover("--accept-loss", "--json");
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("done").asBoolean()).isTrue();
    assertThat(json.get("lost_journals").get(0).asText()).endsWith("7.txn");
    isGivenUp();
    assertThat(bookie.home.resolve("lastMark")).doesNotExist();
  }

  @Test
  void aJournalAloneThatIsLostIsGivenUpAndTheLedgersStay() throws IOException {
    Files.delete(bookie.journal.resolve("7.txn"));
    Files.writeString(bookie.journal.resolve("VERSION"), "4\n");
    Run run = recover("--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains(bookie.journal.getParent() + ": its journal is lost");
    assertThat(bookie.journal.resolve("VERSION")).as("its cookie").doesNotExist();
    assertThat(bookie.home.resolve("lastMark")).doesNotExist();
    assertThat(bookie.home.resolve("a.log")).exists();
    assertThat(PlaceCheck.forgotten(bookie.ledgers)).doesNotExist();
  }

  @Test
  void aSingleLogThatIsLostLeavesTheFastDirectoryKnown() throws IOException {
    Files.delete(bookie.fastLogs.resolve("b.log"));
    assertThat(recover("--accept-loss").exitCode()).isZero();
    assertThat(bookie.home.resolve("a.log")).exists();
    assertThat(HomeIdentity.read(bookie.ledgers).orElseThrow().tiers()).hasSize(1);
    assertThat(PlaceCheck.refusal(bookie.ledgers, bookie.ledgers, bookie.fast, true)).isEmpty();
  }

  @Test
  void aBookieThatHasLostNothingKeepsItsCookie() throws IOException {
    Run run = recover("--accept-loss");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("nothing to do");
    assertThat(bookie.home.resolve("VERSION")).exists();
  }

  @Test
  void aRunningBookieIsLeftAlone() throws Exception {
    loseFastDevice();
    Path index = Files.createDirectories(bookie.home.resolve("locations"));
    try (LockHolder holder = new LockHolder(index.resolve("LOCK"))) {
      assertThat(recover("--accept-loss").err()).contains("in use by process " + holder.pid());
    }
    assertThat(bookie.home.resolve("VERSION")).exists();
  }

  /** Killed between any two changes, a start is refused, and the next run finishes. */
  @Test
  void itGoesOnWhereItWasKilled() throws IOException {
    for (int kill = 0; ; kill++) {
      makeBookie(Files.createDirectory(root.resolve("killed-" + kill)));
      loseFastDevice();
      if (finishes(kill)) {
        isGivenUp();
        assertThat(kill).as("changes").isGreaterThan(5);
        return;
      }
      assertThat(PlaceCheck.refusal(bookie.ledgers, bookie.ledgers, bookie.fast, true)).isPresent();
      assertThat(recover("--accept-loss").exitCode()).isZero();
      isGivenUp();
    }
  }

  private boolean finishes(int kill) throws IOException {
    try {
      LedgerLoss.of(BookieConfiguration.read(bookie.conf)).accept(new KilledChanges(kill));
      return true;
    } catch (KilledChanges.KilledException e) {
      return false;
    }
  }
}
