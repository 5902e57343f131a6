// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Background;
import io.headpond.store.SimulatedDisks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private SpareJournal spare(boolean whole) throws IOException {
    return spare(whole, BookieBackground.THREADS);
  }

  private SpareJournal spare(boolean whole, Background background) throws IOException {
    ServerConfiguration configuration = bookie.configuration(BookieDirectories.OURS);
    LastMark mark = LastMark.of(bookie.journals.toFile(), configuration);
    return new SpareJournal(background, bookie.journals, mark, BACKUPS, BYTES, whole);
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

  /** A power cut while a mark is written leaves none, and a start then reads all journals. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJournalIsWithoutHeaderBeforeItIsZeroed(boolean whole) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    AtomicInteger zeroed = new AtomicInteger();
    AtomicReference<String> wrong = new AtomicReference<>();
    try (SimulatedDisks disks = new SimulatedDisks()) {
      Path journals = disks.device("journal", false);
      Path mark = disks.device("ledgers", false).resolve("lastMark");
      byte[] old = new byte[64 << 10];
      Arrays.fill(old, (byte) 7);
      try (FileChannel channel =
          FileChannel.open(
              journals.resolve("10.txn"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(old));
        channel.force(true);
      }
      try (FileChannel names = FileChannel.open(journals, StandardOpenOption.READ)) {
        names.force(true);
      }
      disks.look(
          () -> {
            for (int cut = 0; cut < 40; cut++) {
              byte[] left = disks.cut(random).files(journals).get("10.txn");
              boolean header = left[0] == 7;
              zeroed.addAndGet(header ? 0 : 1);
              if (header && !Arrays.equals(left, old)) {
                wrong.set("a header before zeros");
              }
            }
          });
      try (SpareJournal simulated =
          new SpareJournal(
              BookieBackground.THREADS, journals, new LastMark(List.of(mark)), 1, 0, whole)) {
        spare.close();
        spare = simulated;
        Files.write(mark, ByteBuffer.allocate(16).putLong(0x11).array());
        looked();
        Files.write(mark, ByteBuffer.allocate(16).putLong(0x12).array());
        assertThat(comes(simulated::ready)).isTrue();
      }
      disks.look(() -> {});
    }
    assertThat(wrong).hasNullValue();
    assertThat(zeroed).hasPositiveValue();
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
  void anAppendGoesOnWhereTheSystemHasNoThread() throws IOException {
    AtomicInteger missing = new AtomicInteger(2);
    Background poor =
        Background.startedBy(
            thread -> {
              if (missing.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              thread.start();
            },
            (name, failures, cause) -> {});
    spare.close();
    spare = spare(true, poor);
    passed(0x12);
    assertThat(comes(spare::ready)).isTrue();
    assertThat(poor.failures()).isEqualTo(2);
  }

  @Test
  void nothingIsGivenAwayAfterTheEnd() throws IOException {
    passed(0x12);
    assertThat(comes(spare::ready)).isTrue();
    spare.close();
    assertThat(spare.ready()).isFalse();
  }
}
