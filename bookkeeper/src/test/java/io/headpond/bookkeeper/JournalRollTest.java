// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.store.SimulatedDisks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is acknowledged before its force, or in spite of it, in whichever file it lies. */
class JournalRollTest {
  private static final int CUTS = 40;

  @TempDir Path folder;
  private SimulatedDisks disks;
  private ScriptedBookie bookie;

  private void begin(JournalPlace place) throws IOException {
    disks = new SimulatedDisks();
    bookie = ScriptedBookie.begin(disks, place, false);
  }

  @AfterEach
  void stop() throws IOException {
    if (bookie != null) {
      bookie.kill();
      disks.close();
    }
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

  @ParameterizedTest
  @EnumSource(names = {"DISK", "COPYING_DISK"})
  void aRollInsideABatchForcesTheOlderFilesFirst(JournalPlace place) throws Exception {
    begin(place);
    groups(40);
    assertThat(bookie.directory().openFiles()).isGreaterThan(3);
    assertForcedBeforeAcknowledged(120);
  }

  /** A client's {@code force} of a ledger writes nothing, and may be a file's first request. */
  @ParameterizedTest
  @EnumSource(names = {"DISK", "COPYING_DISK"})
  void aRequestWithoutEntriesInANewFileForcesTheOlderFilesFirst(JournalPlace place)
      throws Exception {
    begin(place);
    while (bookie.directory().openFiles() < 4) {
      groups(1);
      bookie.group(0);
    }
    assertForcedBeforeAcknowledged((int) bookie.next());
  }

  private void assertForcedBeforeAcknowledged(int entries) throws IOException {
    int[] afterAcks = new int[1];
    Thread forcing = Thread.currentThread(); // others make room ahead meanwhile
    disks.look(
        () -> {
          boolean after = Thread.currentThread() == forcing && !bookie.acknowledged.isEmpty();
          afterAcks[0] += after ? 1 : 0;
        });
    bookie.forceAll();
    assertThat(bookie.acknowledged).hasSize(entries);
    assertThat(afterAcks).as("device operations after the first acknowledgement").containsOnly(0);
    assertNothingLost();
  }

  /** Of the older files, of the newest one, of the directory: in turn. */
  @ParameterizedTest
  @EnumSource(names = {"DISK", "COPYING_DISK"})
  void whicheverForceFailsNothingMoreIsAcknowledged(JournalPlace place) throws Exception {
    begin(place);
    disks.begin(null);
    groups(20);
    bookie.forceAll();
    disks.end();
    int failed = 0;
    for (SimulatedDisks.Fault fault : disks.faults()) {
      if (!fault.thrown() && forcesEntries(fault)) {
        stop();
        begin(place);
        disks.begin(fault);
        Throwable told = catchThrowable(() -> groupsAndForce(20));
        assertThat(disks.struck()).as("%s", fault).isTrue();
        assertThat(told).as("%s", fault).isInstanceOf(IOException.class);
        assertThat(bookie.acknowledged).as("%s", fault).isEmpty();
        bookie.assertRefusing();
        disks.end();
        assertNothingLost();
        failed++;
      }
    }
    assertThat(failed).isGreaterThan(10);
  }

  /** Without padding a group begins anywhere, also just before the end of what was grown. */
  @Test
  void aHeadThatLiesInTwoChunksIsNeverSeenHalf() throws Exception {
    begin(JournalPlace.DISK);
    ServerConfiguration configuration = new ServerConfiguration();
    Path file = Files.createFile(bookie.journals.resolve("20.txn"));
    AssertionError[] seen = new AssertionError[1];
    byte[] group = new byte[3 * GroupHead.BYTES];
    Arrays.fill(group, (byte) 1);
    ByteBuffer.wrap(group).putInt(group.length - Integer.BYTES);
    try (FileChannel channel = bookie.directory().writing(file, configuration)) {
      int chunk = (int) Files.size(file); // made when the file begins
      channel.write(ByteBuffer.allocate(512));
      int before = chunk - 512 - GroupHead.BYTES / 2;
      channel.write(ByteBuffer.allocate(before).putInt(0, before - Integer.BYTES));
      int start = (int) channel.position();
      disks.look(() -> seen[0] = seen[0] == null ? half(file, start, group) : seen[0]);
      channel.write(ByteBuffer.wrap(group));
      disks.look(() -> {});
      channel.force(false);
    }
    if (seen[0] != null) {
      throw seen[0];
    }
  }

  /** A file that a system writes page by page: a kill or a lack of room may come in between. */
  private static final class Pages extends NarrowFileChannel {
    private static final int PAGE_BYTES = 4096;
    private final byte[] bytes = new byte[4 * PAGE_BYTES];
    private Runnable look = () -> {};

    Pages(Path file) {
      super(file);
    }

    @Override
    public int write(ByteBuffer source, long at) {
      int length = source.remaining();
      for (int to = (int) at; source.hasRemaining(); ) {
        int part = Math.min(source.remaining(), PAGE_BYTES - to % PAGE_BYTES);
        source.get(bytes, to, part);
        to += part;
        look.run();
      }
      return length;
    }

    @Override
    public long position() {
      return 0;
    }

    @Override
    public FileChannel position(long at) {
      return this;
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public void force(boolean metadata) {}

    @Override
    protected void implCloseChannel() {}
  }

  @Test
  void aHeadThatLiesInTwoPagesIsNeverSeenHalf() throws Exception {
    begin(JournalPlace.COPYING_DISK);
    Path file = Files.createFile(bookie.journals.resolve("20.txn"));
    Pages pages = new Pages(file);
    AssertionError[] seen = new AssertionError[1];
    byte[] group = new byte[GroupHead.BYTES - 100];
    Arrays.fill(group, (byte) 1);
    ByteBuffer.wrap(group).putInt(group.length - Integer.BYTES);
    try (FileChannel channel =
        new PlainJournalChannel(file, pages, 0, true, null, bookie.directory())) {
      channel.write(ByteBuffer.allocate(8)); // a header of the format without padding
      int before = Pages.PAGE_BYTES - 8 - group.length / 2;
      channel.write(ByteBuffer.allocate(before).putInt(0, before - Integer.BYTES));
      int start = (int) channel.position();
      pages.look = () -> seen[0] = seen[0] == null ? half(pages.bytes, start, group) : seen[0];
      channel.write(ByteBuffer.wrap(group));
      channel.force(false);
    }
    if (seen[0] != null) {
      throw seen[0];
    }
  }

  private AssertionError half(Path file, int start, byte[] group) {
    return half(disks.visible(bookie.journals).get(file.getFileName().toString()), start, group);
  }

  private static AssertionError half(byte[] visible, int start, byte[] group) {
    byte[] there = Arrays.copyOfRange(visible, start, start + group.length);
    boolean whole = ByteBuffer.wrap(there).getInt() == 0 || Arrays.equals(there, group);
    return whole ? null : new AssertionError("a scan takes half a group for a record");
  }

  /** Zeros that couldn't be written ahead hold no entry, and who writes them is no caller. */
  private static boolean forcesEntries(SimulatedDisks.Fault fault) {
    return fault.toString().contains("FORCE") && !fault.toString().contains("writeZeros");
  }

  private void groupsAndForce(int number) throws IOException {
    groups(number);
    bookie.forceAll();
  }

  private static FileChannel file(
      JournalDirectory directory, ServerConfiguration configuration, Path journals, String id)
      throws IOException {
    Path file = Files.createFile(journals.resolve(id + ".txn"));
    FileChannel channel = directory.writing(file, configuration);
    channel.write(ByteBuffer.allocate(512));
    channel.force(true);
    channel.write(ByteBuffer.allocate(512).putInt(0, 508));
    return channel;
  }

  @Test
  void anInterruptedForceOfAPlainFileIsAFailedOne(@TempDir(factory = InMemory.class) Path memory)
      throws Exception {
    assumeTrue(Device.detect(memory).durability() == Durability.VOLATILE, "no memory here");
    BookieDirectories real = new BookieDirectories(memory);
    ServerConfiguration configuration = real.configuration(BookieDirectories.OURS);
    JournalDirectory directory = JournalDirectory.of(real.journals.toFile(), configuration);
    try (FileChannel older = file(directory, configuration, real.journals, "20");
        FileChannel newer = file(directory, configuration, real.journals, "21")) {
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
  void anInterruptedForceOfAFileOfZerosIsDone() throws Exception {
    assumeTrue(Device.detect(folder).writesInPlace(), "ext4 or XFS");
    BookieDirectories real = new BookieDirectories(folder);
    ServerConfiguration configuration = real.configuration(BookieDirectories.OURS);
    JournalDirectory directory = JournalDirectory.of(real.journals.toFile(), configuration);
    try (FileChannel older = file(directory, configuration, real.journals, "20");
        FileChannel newer = file(directory, configuration, real.journals, "21")) {
      Thread.currentThread().interrupt();
      newer.force(false);
      assertThat(Thread.interrupted()).isTrue();
      older.write(ByteBuffer.allocate(512).putInt(0, 508));
      newer.write(ByteBuffer.allocate(512).putInt(0, 508));
      newer.force(false);
    } finally {
      directory.close();
    }
  }

  @Test
  void aFileThatIsClosedUnforcedEndsTheDirectory() throws Exception {
    BookieDirectories real = new BookieDirectories(folder);
    ServerConfiguration configuration = real.configuration(BookieDirectories.OURS);
    JournalDirectory directory = JournalDirectory.of(real.journals.toFile(), configuration);
    FileChannel older = file(directory, configuration, real.journals, "20");
    try (FileChannel newer = file(directory, configuration, real.journals, "21")) {
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
    FileChannel older = file(directory, configuration, real.journals, "20");
    try (FileChannel newer = file(directory, configuration, real.journals, "21")) {
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
