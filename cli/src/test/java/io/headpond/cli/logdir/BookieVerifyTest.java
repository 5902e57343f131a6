// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.BookieFixture.ENTRY_BYTES;
import static io.headpond.cli.logdir.BookieFixture.entryLog;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bookie's directories that are whole, and everything that can be wrong with them. */
class BookieVerifyTest {
  private static final int LENGTH_AT = 1024;

  @TempDir Path root;
  private BookieFixture bookie;

  @BeforeEach
  void directories() throws IOException {
    bookie = new BookieFixture(root);
    bookie.homeLog(0, entryLog(30, true));
    bookie.fastLog(1, entryLog(20, true));
    bookie.fastLog(2, entryLog(10, false));
    bookie.journal(0x18f, 5);
    bookie.journal(0x190, 7);
    bookie.mark(0x190);
  }

  private JsonNode verified(int exitCode) throws IOException {
    Run run = Run.of("verify", "--json", "--bookkeeper", bookie.conf.toString());
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  private void found(String pointer, String severity, String kind, String... words)
      throws IOException {
    JsonNode json = verified(severity.equals("problem") ? 1 : 0);
    JsonNode finding = json.at(pointer + "/findings/0");
    assertThat(finding.get("severity").asText()).as(json.toString()).isEqualTo(severity);
    assertThat(finding.get("kind").asText()).isEqualTo(kind);
    assertThat(finding.get("path").asText() + finding.get("detail").asText()).contains(words);
    assertThat(json.at(pointer + "/findings")).hasSize(1);
  }

  private void foundInLedgers(String severity, String kind, String... words) throws IOException {
    found("/ledger_directories/0", severity, kind, words);
  }

  private void foundInJournal(String severity, String kind, String... words) throws IOException {
    found("/journal_directories/0", severity, kind, words);
  }

  /** Who makes room on a full device must know which files a restart needs. */
  @Test
  void theJournalThatARestartBeginsWithIsNamed() throws IOException {
    assertThat(verified(0).at("/journal_directories/0/replayed_from").asText())
        .isEqualTo("190.txn");
    assertThat(Run.of("verify", "--bookkeeper", bookie.conf.toString()).out())
        .contains("; a restart begins with 190.txn");
    Files.delete(bookie.home.resolve("lastMark"));
    assertThat(verified(0).at("/journal_directories/0/replayed_from").isNull()).isTrue();
    assertThat(Run.of("verify", "--bookkeeper", bookie.conf.toString()).out())
        .contains("; a restart begins with the oldest");
  }

  /** As BookKeeper reads it, which takes each byte for a character. */
  @Test
  void aConfigurationIsReadWhateverItsEncodingIs() throws IOException {
    byte[] remark = "\n# Gr\u00f6\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(bookie.conf, remark, StandardOpenOption.APPEND);
    assertThat(verified(0).at("/journal_directories/0/files").asInt()).isEqualTo(2);
    Run doctor = Run.of("doctor", "--bookkeeper", bookie.conf.toString());
    assertThat(doctor.out()).as(doctor.err()).contains("journalChannelProvider is Headpond's");
  }

  @Test
  void everythingThatIsWholeIsCountedAndNothingIsChanged() throws IOException {
    Map<String, String> before = LogDirFixture.contents(root);
    JsonNode json = verified(0);
    assertThat(json.at("/ledger_directories/0/entry_logs").asInt()).isEqualTo(3);
    assertThat(json.at("/ledger_directories/0/entry_logs_fast").asInt()).isEqualTo(2);
    assertThat(json.at("/ledger_directories/0/entry_logs_home").asInt()).isEqualTo(1);
    assertThat(json.at("/ledger_directories/0/entries").asInt()).isEqualTo(60);
    assertThat(json.at("/journal_directories/0/files").asInt()).isEqualTo(2);
    assertThat(json.at("/journal_directories/0/records").asInt()).isEqualTo(12);
    assertThat(json.at("/journal_directories/0/record_bytes").asInt())
        .isEqualTo(2 * 512 + 12 * (104 + 20));
    assertThat(json.at("/journal_directories/0/not_whole").isEmpty()).isTrue(); // without checks
    assertThat(json.get("running").asBoolean()).isFalse();
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
    Run run = Run.of("verify", "--bookkeeper", bookie.conf.toString());
    assertThat(run.out())
        .contains("3 entry logs (2 on the fast device, 1 at home), 60 entries", "12 records")
        .contains("OK: nothing wrong");
  }

  @Test
  void aNameThatLeadsNowhereIsAProblem() throws IOException {
    Path lost = bookie.fastLogs.resolve("1.log");
    Files.delete(lost);
    foundInLedgers("problem", "lost_segment", "1.log", lost + " isn't there", "headpond recover");
  }

  @Test
  void aFastDeviceThatIsNotMountedIsNamed() throws IOException {
    Files.move(bookie.fast, root.resolve("elsewhere"));
    JsonNode json = verified(1);
    assertThat(json.at("/ledger_directories/0/findings/0/kind").asText()).isEqualTo("missing_tier");
    assertThat(json.at("/ledger_directories/0/findings/1/detail").asText())
        .contains("mount " + bookie.fast);
  }

  @Test
  void aLinkToSomewhereElseIsAProblem() throws IOException {
    Path outside = Files.write(root.resolve("3.log"), entryLog(1, true));
    Files.createSymbolicLink(bookie.home.resolve("3.log"), outside);
    foundInLedgers("problem", "link_outside_tiers", "3.log", outside.toString());
  }

  @Test
  void aLogThatWasCompletedAndIsShorterNowIsAProblem() throws IOException {
    byte[] whole = entryLog(20, true);
    Path file = bookie.fastLogs.resolve("1.log");
    Files.write(file, Arrays.copyOf(whole, whole.length - 8));
    foundInLedgers("problem", "corrupt_entry_log", "1.log", "map");
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    foundInLedgers("problem", "corrupt_entry_log", "1.log", "map of ledgers should begin");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 15, 1 << 30})
  void aLengthThatCannotBeIsAProblem(int length) throws IOException {
    byte[] log = entryLog(20, true);
    ByteBuffer.wrap(log).putInt(LENGTH_AT + 3 * ENTRY_BYTES, length);
    bookie.fastLog(4, log);
    foundInLedgers(
        "problem", "corrupt_entry_log", "4.log", "byte 4024 can't be " + length + " bytes");
  }

  /**
   * As BookKeeper's DirectEntryLogger writes one, in blocks, into a file that has its full size.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLogOfDirectWritesIsWhole(boolean complete) throws IOException {
    int limit = 64 << 10;
    int block = 4096;
    byte[] plain = entryLog(20, true);
    int map = plain.length - 40;
    ByteBuffer log = ByteBuffer.allocate(limit);
    log.put(plain, 0, 1024).putInt(block - 1024 - 4).putLong(-1);
    log.position(block).put(plain, 1024, 10 * ENTRY_BYTES);
    pad(log, block);
    log.put(plain, 1024 + 10 * ENTRY_BYTES, map - 1024 - 10 * ENTRY_BYTES);
    if (complete) {
      log.putLong(8, log.position()).put(plain, map, 40);
    } else {
      log.putLong(8, 0).putInt(16, 0);
    }
    pad(log, block);
    bookie.homeLog(4, log.array());
    JsonNode directory = verified(0).at("/ledger_directories/0");
    assertThat(directory.at("/entries").asInt()).isEqualTo(60 + 20);
    assertThat(directory.at("/findings").findValuesAsText("kind"))
        .isEqualTo(complete ? List.of() : List.of("torn_tail"));
    log.put(log.capacity() / block * block - 1, (byte) 1); // behind everything
    bookie.homeLog(5, log.array());
    assertThat(verified(1).at("/ledger_directories/0/findings").findValuesAsText("kind"))
        .contains("corrupt_entry_log");
  }

  private static void pad(ByteBuffer log, int block) {
    while (log.position() % block != 0) {
      log.put((byte) 0xf0);
    }
  }

  /** BookKeeper writes the map, and then finds no room for the next log. */
  @Test
  void aLogThatGoesOnBehindItsMapIsWhole() throws IOException {
    byte[] first = entryLog(20, true);
    byte[] more = entryLog(5, false);
    ByteBuffer log = ByteBuffer.allocate(first.length + more.length - 1024);
    log.put(first).put(more, 1024, more.length - 1024);
    bookie.homeLog(4, log.array());
    assertThat(verified(0).at("/ledger_directories/0/entries").asInt()).isEqualTo(60 + 25);
  }

  @Test
  void aFileThatIsNoEntryLogIsAProblem() throws IOException {
    bookie.homeLog(5, new byte[5000]);
    foundInLedgers("problem", "corrupt_entry_log", "5.log", "doesn't begin as an entry log");
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 3, 10, 500})
  void aLogThatACrashHasCutOffIsANote(int missing) throws IOException {
    byte[] log = entryLog(10, false);
    int left = missing == 1000 ? missing : log.length - missing; // 1000: not even the header
    bookie.fastLog(6, Arrays.copyOf(log, left));
    foundInLedgers("note", "torn_tail", "6.log", "in the journal");
  }

  @Test
  void zerosBehindTheLastEntryAreANote() throws IOException {
    byte[] log = entryLog(10, false);
    bookie.fastLog(6, Arrays.copyOf(log, log.length + 5000));
    foundInLedgers("note", "torn_tail", "6.log", "of zeros from byte " + log.length);
  }

  @Test
  void whatTheNextStartTidiesUpIsANote() throws IOException {
    Files.write(bookie.fastLogs.resolve("9.log"), entryLog(1, true));
    Files.createDirectories(bookie.quarantine());
    Files.write(bookie.quarantine().resolve("1700000000000.8.log"), new byte[10]);
    Files.write(bookie.ledgers.resolve("headpond-0123456789abcdef.move"), new byte[10]);
    JsonNode findings = verified(0).at("/ledger_directories/0/findings");
    assertThat(findings.findValuesAsText("kind"))
        .containsExactly("orphan", "quarantined", "unfinished_move");
  }

  @Test
  void aJournalThatARestartNeedsAndThatIsGoneIsAProblem() throws IOException {
    Files.delete(bookie.journal.resolve("190.txn"));
    foundInJournal("problem", "missing_journal", "190.txn", "mount the journal's device");
  }

  @Test
  void aJournalDirectoryThatIsGoneIsAProblem() throws IOException {
    Files.move(bookie.journal, root.resolve("elsewhere"));
    foundInJournal("problem", "unreadable", bookie.journal + " isn't there");
  }

  @Test
  void aRecordThatARestartWouldRefuseIsAProblem() throws IOException {
    Path file = bookie.journal(0x191, 4);
    byte[] journal = Files.readAllBytes(file);
    ByteBuffer.wrap(journal).putInt(512, -5);
    Files.write(file, journal);
    foundInJournal("problem", "corrupt_journal", "191.txn", "byte 512", "would refuse it");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 7, 1 << 24 | 6})
  void aJournalOfAVersionThatNoBookieReadsIsAProblem(int version) throws IOException {
    Path file = bookie.journal(0x191, 4);
    byte[] journal = Files.readAllBytes(file);
    ByteBuffer.wrap(journal).putInt(4, version);
    Files.write(file, journal);
    String said = "its version is " + version;
    foundInJournal("problem", "corrupt_journal", "191.txn", said, "would refuse it");
  }

  @Test
  void whatACrashLeavesOfAJournalIsNoProblem() throws IOException {
    byte[] journal = Files.readAllBytes(bookie.journal(0x191, 4));
    Files.write(bookie.journal.resolve("192.txn"), Arrays.copyOf(journal, 512 + 104 + 20 + 50));
    Files.write(bookie.journal.resolve("193.txn"), new byte[0]);
    Files.write(bookie.journal.resolve("194.txn"), new byte[4096]);
    byte[] madeReady = new byte[9_000]; // for its next life, and not written to yet
    Arrays.fill(madeReady, 4096, madeReady.length, (byte) 7);
    Files.write(bookie.journal.resolve("195.txn"), madeReady);
    JsonNode json = verified(0);
    assertThat(json.at("/journal_directories/0/files").asInt()).isEqualTo(7);
    assertThat(json.at("/journal_directories/0/records").asInt()).isEqualTo(12 + 4 + 1);
    // Below the checkpoint nothing is replayed, and a file is made ready there for its next life.
    Files.write(bookie.journal.resolve("18f.txn"), "no journal any more".repeat(99).getBytes());
    verified(0);
  }

  @Test
  void besideARunningBookieWhatIsInWorkIsLeftOut() throws Exception {
    Path index = Files.createDirectories(bookie.home.resolve("locations"));
    Files.delete(bookie.journal.resolve("190.txn"));
    Files.write(bookie.fastLogs.resolve("9.log"), entryLog(1, true));
    bookie.fastLog(6, Arrays.copyOf(entryLog(10, false), 3000));
    try (LockHolder holder = new LockHolder(index.resolve("LOCK"))) {
      JsonNode json = verified(0);
      assertThat(json.get("running").asBoolean()).isTrue();
      assertThat(json.get("notes").asInt()).isZero();
      assertThat(holder.pid()).isPositive();
    }
  }
}
