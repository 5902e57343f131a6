// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headpond.store.SimulatedDisks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is acknowledged before its force, or in spite of it, in whichever file it lies. */
class JournalRollTest {
  private static final int CUTS = 40;

  @TempDir Path folder;
  private SimulatedDisks disks;
  private ScriptedBookie bookie;

  @BeforeEach
  void aDisk() throws IOException {
    disks = new SimulatedDisks();
    bookie = ScriptedBookie.begin(disks, false, false);
  }

  @AfterEach
  void stop() throws IOException {
    bookie.kill();
    disks.close();
  }

  private void groups(int number) throws IOException {
    for (int i = 0; i < number; i++) {
      bookie.group(3);
    }
  }

  private void assertNothingLost() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int cut = 0; cut < CUTS; cut++) {
      SimulatedDisks.Cut left = disks.cut(random);
      new JournalJudge(
              left.files(bookie.journals), left.files(bookie.ledgers), bookie.acknowledged, true)
          .mustHave(bookie.flushed);
    }
  }

  @Test
  void aRollInsideABatchForcesTheOlderFilesFirst() throws Exception {
    groups(40);
    assertThat(bookie.directory().openFiles()).isGreaterThan(3);
    int[] afterAcks = new int[1];
    disks.look(() -> afterAcks[0] += bookie.acknowledged.isEmpty() ? 0 : 1);
    bookie.forceAll();
    assertThat(bookie.acknowledged).hasSize(120);
    assertThat(afterAcks).as("device operations after the first acknowledgement").containsOnly(0);
    assertNothingLost();
  }

  /** Of the older files, of the newest one, of the directory: in turn. */
  @Test
  void whicheverForceFailsNothingMoreIsAcknowledged() throws Exception {
    disks.begin(null);
    groups(20);
    bookie.forceAll();
    disks.end();
    int failed = 0;
    for (SimulatedDisks.Fault fault : disks.faults()) {
      if (!fault.thrown() && fault.toString().contains("FORCE")) {
        stop();
        aDisk();
        disks.begin(fault);
        assertThat(catchThrowable(() -> groupsAndForce(20))).isInstanceOf(IOException.class);
        assertThat(disks.struck()).as("%s", fault).isTrue();
        assertThat(bookie.acknowledged).as("%s", fault).isEmpty();
        bookie.assertRefusing();
        disks.end();
        assertNothingLost();
        failed++;
      }
    }
    assertThat(failed).isGreaterThan(10);
  }

  private void groupsAndForce(int number) throws IOException {
    groups(number);
    bookie.forceAll();
  }

  private FileChannel file(JournalDirectory directory, ServerConfiguration configuration, String id)
      throws IOException {
    Path file = Files.createFile(folder.resolve("journal/current/" + id + ".txn"));
    FileChannel channel = directory.writing(file, configuration);
    channel.write(ByteBuffer.allocate(512));
    channel.force(true);
    channel.write(ByteBuffer.allocate(512).putInt(0, 508));
    return channel;
  }

  @Test
  void anInterruptedForceIsAFailedOne() throws Exception {
    BookieDirectories real = new BookieDirectories(folder);
    ServerConfiguration configuration = real.configuration(BookieDirectories.OURS);
    JournalDirectory directory = JournalDirectory.of(real.journals.toFile(), configuration);
    try (FileChannel older = file(directory, configuration, "20");
        FileChannel newer = file(directory, configuration, "21")) {
      Thread.currentThread().interrupt();
      Throwable interrupted = catchThrowable(() -> newer.force(false));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(interrupted).isInstanceOf(ClosedByInterruptException.class);
      for (FileChannel each : new FileChannel[] {older, newer}) {
        assertThatThrownBy(() -> each.force(false))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll("HP0712", "20.txn", "Interrupt", "dmesg");
        assertThatThrownBy(() -> each.write(ByteBuffer.allocate(512).putInt(0, 508)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("HP0712");
      }
    } finally {
      directory.close();
    }
  }

  @Test
  void aFileThatIsClosedUnforcedEndsTheDirectory() throws Exception {
    BookieDirectories real = new BookieDirectories(folder);
    ServerConfiguration configuration = real.configuration(BookieDirectories.OURS);
    JournalDirectory directory = JournalDirectory.of(real.journals.toFile(), configuration);
    FileChannel older = file(directory, configuration, "20");
    try (FileChannel newer = file(directory, configuration, "21")) {
      older.close();
      assertThatThrownBy(() -> newer.force(false))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("HP0712", "20.txn", "closed before it was forced");
    } finally {
      directory.close();
    }
  }

  @Test
  void aFileThatIsClosedAfterItsForceEndsNothing() throws Exception {
    BookieDirectories real = new BookieDirectories(folder);
    ServerConfiguration configuration = real.configuration(BookieDirectories.OURS);
    JournalDirectory directory = JournalDirectory.of(real.journals.toFile(), configuration);
    FileChannel older = file(directory, configuration, "20");
    try (FileChannel newer = file(directory, configuration, "21")) {
      older.force(false);
      older.close();
      newer.force(false);
      newer.write(ByteBuffer.allocate(512).putInt(0, 508));
      assertThat(directory.openFiles()).isEqualTo(1);
    } finally {
      directory.close();
    }
  }
}
