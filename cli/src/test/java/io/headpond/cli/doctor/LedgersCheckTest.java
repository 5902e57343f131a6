// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.headpond.bookkeeper.ledger.PlaceCheck;
import io.headpond.cli.Run;
import io.headpond.cli.logdir.LockHolder;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.TierIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    Run run = tiered();
    assertThat(run.out()).contains("ledgerStorageClass is Headpond's", fast.toString());
    assertThat(run.out().lines())
        .anyMatch(
            line ->
                line.startsWith("warning")
                    && line.contains("lies on the same file system as the ledger directory"));
  }

  @Test
  void moreCapacityThanTheFileSystemHasIsAWarning() throws IOException {
    assertThat(tiered().out()).doesNotContain("HP0209");
    Run run =
        doctor(
            TIERED
                + "headpond.ledger.fast.directories="
                + fast
                + "\nheadpond.ledger.fast.capacity=9000TiB\n");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("warning +HP0209 entry logs: " + fast + " may take .* by its capacity")
        .contains("Lower headpond.ledger.fast.capacity, or remove it");
  }

  @Test
  void rootIsToldThatTheBookiesUserMayNotWrite() throws IOException {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    // A temporary folder of a test is its user's alone.
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(tiered().out()).doesNotContain("HP0710");
    Files.setOwner(
        ledgers,
        ledgers.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    Run run = tiered();
    assertThat(run.exitCode()).as(run.out()).isZero();
    for (Path directory : List.of(fast, root.resolve("journal"))) {
      assertThat(run.out())
          .containsPattern("warning +HP0710 " + directory + " can't be read or written: .*nobody")
          .containsPattern("a bookie runs as nobody: chown -R nobody:\\S+ '" + directory + "'");
    }
  }

  @Test
  void rootIsToldOfWhatItsOwnStartHasLeft() throws IOException {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    HomeIdentity home = HomeIdentity.create(ledgers);
    home.writeTiers(List.of());
    Files.createDirectories(PlaceCheck.fast(fast, home.id()));
    Files.createDirectories(ledgers.resolve("current"));
    for (Path directory : List.of(ledgers, fast)) {
      Files.setOwner(
          directory,
          root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }
    for (Path directory : List.of(ledgers, fast)) {
      assertThat(tiered().out())
          .containsPattern("warning +HP0710 " + directory + " can't be read or written: .*nobody")
          .containsPattern("a bookie runs as nobody: chown -R nobody:\\S+ '" + directory + "'");
    }
  }

  @Test
  void logsThatWereNotDrainedAreNamedWhenThePlugInIsOut() throws IOException {
    HomeIdentity.create(ledgers).writeTiers(List.of());
    assertThat(doctor("").out())
        .contains(ledgers.toString(), "isn't Headpond's", "headpond drain --bookkeeper");
  }

  private Run tiered() throws IOException {
    return doctor(TIERED + "headpond.ledger.fast.directories=" + fast + "\n");
  }

  private static void database(Path current) throws IOException {
    Files.createFile(Files.createDirectories(current.resolve("locations")).resolve("CURRENT"));
  }

  /** As a bookie has left it. */
  private Path entryLog() throws IOException {
    HomeIdentity home = HomeIdentity.create(ledgers);
    home.writeTiers(
        List.of(new HomeIdentity.TierRef("fast", TierIdentity.create(fast, "fast").id(), fast)));
    Path file = HomeIdentity.segments(fast, home.id()).resolve("current/0.log");
    Files.createDirectories(file.getParent());
    Path current = ledgers.resolve("current");
    database(current);
    Files.createSymbolicLink(current.resolve("0.log"), Files.createFile(file));
    return file;
  }

  @Test
  void aFastDirectoryThatIsKnownIsNotMadeAnew() throws IOException {
    Files.delete(fast);
    assertThat(tiered().out()).contains("HP0102 entry logs: " + fast).contains("mkdir -p '" + fast);
    Files.createDirectory(fast);
    entryLog();
    assertThat(tiered().exitCode()).isZero();
    Files.move(fast, root.resolve("away"));
    Run run = tiered();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("HP0102 entry logs: " + fast, "Mount the right device there", "1 thing wrong")
        .doesNotContain("mkdir");
    Files.delete(ledgers.resolve(".headpond"));
    assertThat(tiered().out()).as("only links know it").doesNotContain("mkdir");
    Files.createDirectory(fast);
    assertThat(tiered().out()).contains("HP0111", "headpond drain --bookkeeper");
  }

  @Test
  void anEntryLogThatIsMissingIsWrongUnlessABookieRuns() throws IOException {
    Files.delete(entryLog());
    Run run = tiered();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("HP0112 " + ledgers + ": " + ledgers.resolve("current/0.log"))
        .contains("headpond recover CONF");
    Path index = Files.createDirectory(ledgers.resolve("current/ledgers"));
    try (LockHolder bookie = new LockHolder(index.resolve("LOCK"))) {
      Run beside = tiered();
      assertThat(beside.exitCode()).as(beside.out()).isZero();
      assertThat(beside.out()).contains("is in use by process " + bookie.pid());
    }
  }

  @Test
  void entryLogsOfAnotherStorageAreWrong() throws IOException {
    Files.createFile(Files.createDirectory(ledgers.resolve("current")).resolve("0.log"));
    Run run = tiered();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("HP0826 " + ledgers, "convert-to-db-storage");
    Path index = root.resolve("index");
    database(index.resolve("current"));
    Run elsewhere =
        doctor(
            TIERED
                + "headpond.ledger.fast.directories="
                + fast
                + "\nindexDirectories="
                + index
                + "\n");
    assertThat(elsewhere.exitCode()).as(elsewhere.out()).isZero();
  }

  @Test
  void anUnfinishedConversionIsWarnedOf() throws IOException {
    entryLog();
    Path other = ledgers.resolve("current/0/2a");
    Files.createDirectories(other);
    assertThat(tiered().out()).as("converted").doesNotContain("another ledger storage");
    Files.writeString(other.resolve("2a.idx"), "BKLE");
    Run run = tiered();
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .contains("the index of another ledger storage (" + other, "convert-to-db-storage");
  }

  @Test
  void aSettingThatGoesAroundThePlugInIsWrong() throws IOException {
    Run run =
        doctor(
            TIERED
                + "headpond.ledger.fast.directories="
                + fast
                + "\nentryLogPerLedgerEnabled=yes\n");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("HP0806", "entryLogPerLedgerEnabled", "Set it to false.");
  }
}
