// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static io.headpond.bookkeeper.BookieDirectories.DEFAULT;
import static io.headpond.bookkeeper.BookieDirectories.OURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.bookkeeper.bookie.Journal;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What BookKeeper's own journal writes through one provider, it replays through the other. */
class JournalReplayTest {
  private static final long SEED = System.nanoTime();

  @TempDir Path folder;

  @TempDir(factory = InMemory.class)
  Path memory;

  private static String provider(String name) {
    return name.equals("default") ? DEFAULT : OURS;
  }

  private static ServerConfiguration with(ServerConfiguration configuration, String name) {
    if (name.equals("mapped")) {
      InMemory.mapped(true);
    }
    return configuration;
  }

  private BookieDirectories bookie(String writer) throws IOException {
    return new BookieDirectories(writer.equals("mapped") ? memory : folder);
  }

  @AfterEach
  void mapNothing() {
    InMemory.mapped(false);
  }

  /** Without deleting the oldest file, which the spare is made of when it gets a processor. */
  private static void checkpoint(Journal journal) throws IOException {
    journal.checkpointComplete(journal.newCheckpoint(), false);
  }

  private static List<Long> upTo(long count) {
    return LongStream.range(0, count).boxed().toList();
  }

  @ParameterizedTest
  @CsvSource({
    "mapped, default",
    "plain, default",
    "default, mapped",
    "default, plain",
    "mapped, plain",
    "mapped, mapped"
  })
  void everyAcknowledgedEntryIsReplayedWithoutAShutdown(String writer, String reader)
      throws Exception {
    System.out.println("seed " + SEED);
    BookieDirectories bookie = bookie(reader.equals("mapped") ? reader : writer);
    LoggedEntries entries = new LoggedEntries(SEED, 5_000);
    Journal journal = bookie.journal(with(bookie.configuration(provider(writer)), writer));
    journal.start();
    try {
      do {
        entries.log(journal, 500);
      } while (journals(bookie).size() < 4); // a group of entries may pass a file's size
      // As after a kill: nothing was closed, nothing was cut to its end.
      Journal other = bookie.journal(with(bookie.configuration(provider(reader)), reader));
      assertThat(entries.replay(other, 0)).isEqualTo(upTo(entries.count()));
    } finally {
      journal.shutdown();
    }
    Journal after = bookie.journal(with(bookie.configuration(provider(reader)), reader));
    assertThat(entries.replay(after, 0)).isEqualTo(upTo(entries.count()));
  }

  /**
   * BookKeeper's preallocation (4.16 to 4.18) comes on by one step with each record, however long
   * that is; behind a longer one the zeros of the next step fall into the middle of it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"mapped", "plain"})
  void entriesLongerThanThePreallocationStayWhole(String writer) throws Exception {
    System.out.println("seed " + SEED);
    BookieDirectories bookie = bookie(writer);
    ServerConfiguration configuration = with(bookie.configuration(OURS), writer);
    configuration.setMaxJournalSizeMB(64);
    LoggedEntries entries = new LoggedEntries(SEED, 12 << 20);
    Journal journal = bookie.journal(configuration);
    journal.start();
    try {
      for (int i = 0; i < 12; i++) {
        entries.log(journal, 1);
      }
    } finally {
      journal.shutdown();
    }
    for (String reader : List.of(OURS, DEFAULT)) {
      Journal after = bookie.journal(bookie.configuration(reader));
      assertThat(entries.replay(after, 0)).as(reader).isEqualTo(upTo(entries.count()));
    }
  }

  /** BookKeeper's issue 3949: the start goes ahead, and finds what came later. */
  @ParameterizedTest
  @ValueSource(strings = {"mapped", "plain"})
  void aMarkBeyondTheEndOfATruncatedJournalEndsNoReplay(String writer) throws Exception {
    BookieDirectories bookie = bookie(writer);
    ServerConfiguration configuration = with(bookie.configuration(OURS), writer);
    LoggedEntries entries = new LoggedEntries(SEED, 5_000);
    for (int start = 0; start < 2; start++) {
      Journal journal = bookie.journal(configuration);
      journal.start();
      entries.log(journal, 50);
      journal.shutdown();
    }
    long first = journals(bookie).get(0);
    try (FileChannel file = FileChannel.open(bookie.journalFile(first), StandardOpenOption.WRITE)) {
      file.truncate(1024);
    }
    for (String reader : List.of(OURS, DEFAULT)) {
      Journal after = bookie.journal(bookie.configuration(reader));
      after.scanJournal(first, 1 << 19, (version, offset, entry) -> fail("beyond the end"), false);
      assertThat(entries.replay(after, first + 1)).as(reader).hasSize(50);
    }
  }

  @Test
  void aReusedFileNeverShowsWhatItHeldBefore() throws Exception {
    aReusedFileNeverShowsWhatItHeldBefore("plain", new BookieDirectories(folder));
  }

  /** Where stores keep their order, a file is reused with its old bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"mapped", "plain"})
  void aFileReusedInMemoryNeverShowsWhatItHeldBefore(String writer) throws Exception {
    assumeTrue(Device.detect(memory).durability() == Durability.VOLATILE, "no memory here");
    aReusedFileNeverShowsWhatItHeldBefore(writer, new BookieDirectories(memory));
  }

  private static void aReusedFileNeverShowsWhatItHeldBefore(String writer, BookieDirectories bookie)
      throws Exception {
    System.out.println("seed " + SEED);
    LoggedEntries entries = new LoggedEntries(SEED, 5_000);
    ServerConfiguration configuration = with(bookie.configuration(OURS), writer);
    // Two marks must pass a file before it is reused; with fewer kept a checkpoint deletes it
    // first.
    configuration.setMaxBackupJournals(6);
    Journal journal = bookie.journal(configuration);
    journal.start();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    int reused = 0;
    try {
      for (int round = 0; reused < 6; round++) {
        // The spare is made ready in the background, when it gets a processor.
        assertThat(System.nanoTime()).as("reused in two minutes: " + reused).isLessThan(deadline);
        List<Long> before = journals(bookie);
        entries.log(journal, 50);
        // Only a checkpoint deletes, and none here, so what has gone has got another name.
        reused += round > 0 && !journals(bookie).contains(before.get(0)) ? 1 : 0;
        if (round % 5 == 0) {
          checkpoint(journal);
        }
        if (round % 40 == 0) {
          replayedFromTheMark(bookie, entries);
        }
      }
      replayedFromTheMark(bookie, entries);
      boolean memory = Device.detect(bookie.journals).durability() == Durability.VOLATILE;
      assertThat(bytesBehindTheTail(bookie)).as("old bytes").isEqualTo(memory);
    } finally {
      journal.shutdown();
    }
    replayedFromTheMark(bookie, entries);
  }

  /**
   * A start takes the place where its scan ended for the end of the journal; if it is killed before
   * a later mark is durable, the next one replays from there. BookKeeper's own scan ends behind the
   * length zero, 4 bytes further each time.
   */
  @ParameterizedTest
  @CsvSource({"mapped, default", "mapped, plain", "plain, default", "plain, plain"})
  void startsThatAreKilledInTurnNeverShowWhatAReusedFileHeld(
      String writer, String reader, @TempDir(factory = InMemory.class) Path memory)
      throws Exception {
    assumeTrue(Device.detect(memory).durability() == Durability.VOLATILE, "no memory here");
    System.out.println("seed " + SEED);
    BookieDirectories bookie = new BookieDirectories(memory);
    LoggedEntries entries = new LoggedEntries(SEED, 5_000);
    Journal journal = bookie.journal(with(bookie.configuration(OURS), writer));
    journal.start();
    try {
      for (int round = 0; round < 40 || !bytesBehindTheTail(bookie); round++) {
        assertThat(round).as("rounds").isLessThan(3_000);
        entries.log(journal, 50);
        checkpoint(journal);
      }
      startAgainAndAgain(bookie, reader);
    } finally {
      journal.shutdown();
    }
    startAgainAndAgain(bookie, reader);
  }

  /** The same with what a kill leaves of a group in the middle of being written. */
  @ParameterizedTest
  @CsvSource({"mapped, default", "mapped, plain", "plain, default", "plain, plain"})
  void startsThatAreKilledInTurnNeverShowAGroupThatIsNotWhole(String writer, String reader)
      throws Exception {
    BookieDirectories bookie = new BookieDirectories(folder);
    ServerConfiguration configuration = with(bookie.configuration(OURS), writer);
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    Path file = Files.createFile(bookie.journalFile(0x20));
    try (FileChannel channel = directory.writing(file, configuration)) {
      byte[] header = new byte[512];
      ByteBuffer.wrap(header).put("BKLG".getBytes(StandardCharsets.US_ASCII)).putInt(6);
      channel.write(ByteBuffer.wrap(header));
      byte[] record = new byte[1 << 16];
      Arrays.fill(record, (byte) 7);
      channel.write(ByteBuffer.wrap(record, 0, 1024).putInt(0, 1020));
      channel.write(ByteBuffer.wrap(record, 0, 40_000).putInt(0, record.length));
      assertThat(startAgainAndAgain(bookie, reader)).isEqualTo(1);
    } finally {
      directory.close();
    }
  }

  /** Returns the number of records that the first start finds; later ones must find none. */
  private static int startAgainAndAgain(BookieDirectories bookie, String reader)
      throws IOException {
    long newest = newestBegun(bookie);
    int[] found = new int[1];
    long end =
        bookie
            .journal(bookie.configuration(provider(reader)))
            .scanJournal(newest, 0, (version, offset, record) -> found[0]++, false);
    int first = found[0];
    for (int start = 0; start < 120; start++) {
      long next =
          bookie
              .journal(bookie.configuration(provider(reader)))
              .scanJournal(newest, end, (version, offset, record) -> found[0]++, false);
      assertThat(found[0]).as("records after start " + start).isEqualTo(first);
      assertThat(next - end).isBetween(0L, provider(reader).equals(OURS) ? 0L : 4L);
      end = next;
    }
    return first;
  }

  /** The newest journal that has its header: one that runs may have made its next file just now. */
  private static long newestBegun(BookieDirectories bookie) throws IOException {
    List<Long> ids = new ArrayList<>(journals(bookie));
    while (!isBegun(bookie.journalFile(ids.get(ids.size() - 1)))) {
      ids.remove(ids.size() - 1);
    }
    return ids.get(ids.size() - 1);
  }

  private static boolean isBegun(Path journal) throws IOException {
    try (InputStream in = Files.newInputStream(journal)) {
      return new String(in.readNBytes(4), StandardCharsets.US_ASCII).equals("BKLG");
    }
  }

  /** Is anything but zeros behind what ends a scan of the newest journal? */
  private static boolean bytesBehindTheTail(BookieDirectories bookie) throws IOException {
    List<Long> ids = journals(bookie);
    Path newest = bookie.journalFile(ids.get(ids.size() - 1));
    byte[] all = Files.readAllBytes(newest);
    if (all.length == 0) {
      return false; // killed before its header was written
    }
    ByteBuffer file = ByteBuffer.wrap(all).position(512);
    for (int length; file.remaining() >= 4 && (length = file.getInt()) != 0; ) {
      int bytes = length == -0x100 ? file.getInt() : length;
      file.position(file.position() + bytes);
    }
    while (file.hasRemaining()) {
      if (file.get() != 0) {
        return true;
      }
    }
    return false;
  }

  /** What a crash leaves of a journal that has just begun, or was just to be reused. */
  @ParameterizedTest
  @CsvSource({"0, default", "0, plain", "8, default", "8, plain", "512, default", "512, plain"})
  void aJournalThatHasJustBegunIsEmpty(int headerBytes, String reader) throws Exception {
    BookieDirectories bookie = new BookieDirectories(folder);
    byte[] header = new byte[512];
    ByteBuffer.wrap(header).put("BKLG".getBytes(StandardCharsets.US_ASCII)).putInt(6);
    byte[] file = new byte[1 << 20];
    Arrays.fill(file, 4096, file.length, (byte) 7);
    System.arraycopy(header, 0, file, 0, headerBytes);
    Files.write(bookie.journalFile(0x20), file);
    Journal journal = bookie.journal(bookie.configuration(provider(reader)));
    assertThat(new LoggedEntries(SEED, 10).replay(journal, 0)).isEmpty();
  }

  private static List<Long> journals(BookieDirectories bookie) {
    return Journal.listJournalIds(bookie.journals.toFile(), null);
  }

  /** By BookKeeper's own provider: without a gap from the mark's journal on, to the last entry. */
  private static void replayedFromTheMark(BookieDirectories bookie, LoggedEntries entries)
      throws IOException {
    Journal vanilla = bookie.journal(bookie.configuration(DEFAULT));
    long mark = vanilla.getLastLogMark().getCurMark().getLogFileId();
    List<Long> found = entries.replay(vanilla, mark);
    assertThat(found).isNotEmpty();
    assertThat(found).isEqualTo(LongStream.range(found.get(0), entries.count()).boxed().toList());
    Journal ours = bookie.journal(bookie.configuration(OURS));
    assertThat(entries.replay(ours, mark)).isEqualTo(found);
  }
}
