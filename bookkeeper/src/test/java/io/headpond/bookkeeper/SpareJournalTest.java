// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An old journal is given away only when no restart can need a byte of it. */
class SpareJournalTest {
  private static final int BYTES = 3_000_000;
  private static final int BACKUPS = 3;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  @TempDir Path folder;
  private BookieDirectories bookie;
  private SpareJournal spare;

  @BeforeEach
  void threeOldJournals() throws IOException {
    bookie = new BookieDirectories(folder);
    for (long id = 0x10; id < 0x10 + BACKUPS; id++) {
      byte[] old = new byte[BYTES];
      Arrays.fill(old, (byte) id);
      Files.write(bookie.journalFile(id), old);
    }
    spare = spare(true);
  }

  private SpareJournal spare(boolean whole) {
    ServerConfiguration configuration = bookie.configuration(BookieDirectories.OURS);
    LastMark mark = LastMark.of(bookie.journals.toFile(), configuration);
    return new SpareJournal(bookie.journals, mark, BACKUPS, BYTES, whole);
  }

  @AfterEach
  void stop() {
    spare.close();
  }

  /** Nudges until it holds; false when that takes too long. */
  private boolean comes(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      spare.written(BYTES);
      Thread.onSpinWait();
    }
    return true;
  }

  private boolean untouched(long id) throws IOException {
    for (byte each : Files.readAllBytes(bookie.journalFile(id))) {
      if (each != (byte) id) {
        return false;
      }
    }
    return true;
  }

  /** Two checkpoints leave marks in that journal. */
  private void passed(long id) throws IOException {
    bookie.checkpoint(id, 512);
    looked();
    bookie.checkpoint(id, 1024);
  }

  private void looked() {
    long finished = spare.looks();
    assertThat(comes(() -> spare.looks() > finished)).isTrue();
  }

  /** Several looks later there is still none. */
  private void neverReady() {
    for (int looks = 0; looks < 4; looks++) {
      looked();
      assertThat(spare.ready()).isFalse();
    }
  }

  @Test
  void aJournalBeforeTheMarkIsZeroedAndGivenAwayOnce() throws IOException {
    passed(0x11);
    assertThat(comes(spare::ready)).isTrue();
    assertThat(Files.readAllBytes(bookie.journalFile(0x10))).containsOnly(0).hasSize(BYTES);
    assertThat(untouched(0x11)).isTrue();
    assertThat(spare.taken(bookie.journalFile(0x10))).isEqualTo(BYTES);
    assertThat(spare.taken(bookie.journalFile(0x10))).isEqualTo(-1);
  }

  @Test
  void whereStoresKeepTheirOrderItsFirstPageIsZeroed() throws IOException {
    spare.close();
    spare = spare(false);
    passed(0x11);
    assertThat(comes(spare::ready)).isTrue();
    byte[] found = Files.readAllBytes(bookie.journalFile(0x10));
    assertThat(Arrays.copyOf(found, 4096)).containsOnly(0);
    assertThat(Arrays.copyOfRange(found, 4096, BYTES)).containsOnly(0x10);
    assertThat(found).hasSize(BYTES);
    assertThat(spare.zeroedBytes()).isEqualTo(4096);
    assertThat(spare.taken(bookie.journalFile(0x10))).isEqualTo(BYTES);
  }

  /** BookKeeper itself would reuse it: it only asks whether it is still being written. */
  @Test
  void aJournalThatARestartWouldReplayIsLeftAlone() throws IOException {
    neverReady();
    bookie.checkpoint(0x10);
    neverReady();
    assertThat(untouched(0x10)).isTrue();
  }

  /**
   * Up to 4.17 the older of two checkpoints can write its mark last; a start then needs that one.
   */
  @Test
  void aJournalThatOnlyTheNewestMarkPassedIsLeftAlone() throws IOException {
    bookie.checkpoint(0x10);
    neverReady();
    bookie.checkpoint(0x12);
    neverReady();
    assertThat(untouched(0x10)).isTrue();
    bookie.checkpoint(0x12, 1024);
    assertThat(comes(spare::ready)).isTrue();
  }

  @Test
  void fewerFilesThanAreKeptAreLeftAlone() throws IOException {
    Files.delete(bookie.journalFile(0x10));
    passed(0x12);
    neverReady();
    assertThat(untouched(0x11)).isTrue();
  }

  @Test
  void aFileWithAnotherNameKeepsItsBytes() throws IOException {
    Files.createLink(folder.resolve("kept by the operator"), bookie.journalFile(0x10));
    passed(0x12);
    neverReady();
    assertThat(untouched(0x10)).isTrue();
  }

  @Test
  void aSpareThatACheckpointDeletesIsNotReady() throws IOException {
    passed(0x12);
    assertThat(comes(spare::ready)).isTrue();
    Files.delete(bookie.journalFile(0x10));
    assertThat(spare.ready()).isFalse();
    assertThat(untouched(0x11)).isTrue();
  }

  @Test
  void anotherFileThanTheSpareIsNotTakenForZero() throws IOException {
    passed(0x12);
    assertThat(comes(spare::ready)).isTrue();
    assertThat(spare.taken(bookie.journalFile(0x11))).isEqualTo(-1);
  }

  @Test
  void nothingIsGivenAwayAfterTheEnd() throws IOException {
    passed(0x12);
    assertThat(comes(spare::ready)).isTrue();
    spare.close();
    assertThat(spare.ready()).isFalse();
  }
}
