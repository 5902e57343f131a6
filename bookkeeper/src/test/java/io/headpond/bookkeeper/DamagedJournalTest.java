// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.bookkeeper.bookie.Journal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of a journal directory, cut at many lengths and with a bit of many bytes changed, one
 * after the other. BookKeeper's journal has no checksum: what is changed within an entry its
 * client's digest finds. A group that isn't whole by Headpond's is left out, unless it was durable.
 */
class DamagedJournalTest {
  private static final long SEED = System.nanoTime();
  private static final int ENTRIES = 12;
  private static final int HEADER_BYTES = 512;

  /** What is left of the zeros that a journal is preallocated by: a MiB takes time to read. */
  private static final int ZEROS_BYTES = 4096;

  private static final String REFUSED = "refused: ";

  @TempDir Path folder;

  @TempDir(factory = InMemory.class)
  Path memory;

  private BookieDirectories bookie;
  private Journal ours;
  private Journal theirs;
  private int leftOut;

  @BeforeEach
  void aBookie() throws IOException {
    System.out.println("seed " + SEED);
    bookie = new BookieDirectories(folder);
    bookie.checkpoint(0); // BookKeeper logs an error for each start without one
  }

  @AfterEach
  void mapNothing() {
    InMemory.mapped(false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapped", "plain"})
  void aDamagedJournalIsReplayedAsByBookKeeperOrLeftOut(String kind) throws Exception {
    Path file = written(kind);
    byte[] preallocated = Files.readAllBytes(file);
    byte[] whole = Arrays.copyOf(preallocated, end(preallocated) + ZEROS_BYTES);
    ours = bookie.journal(bookie.configuration(BookieDirectories.OURS));
    theirs = bookie.journal(bookie.configuration(BookieDirectories.DEFAULT));
    List<String> entries = replayed(ours);
    assertThat(entries).hasSize(ENTRIES);
    int damages = 0;
    int refused = 0;
    for (int at = 0; at < end(whole); at = next(at)) {
      byte[] cut = Arrays.copyOf(whole, at);
      Files.write(file, cut);
      List<String> left = left(kind + ", cut at " + at + " B", entries);
      boolean ends = left.isEmpty() || !left.get(left.size() - 1).startsWith(REFUSED);
      // Nothing that was not written, and nothing in another order.
      List<String> intact = ends ? left : left.subList(0, left.size() - 1);
      assertThat(entries.subList(0, intact.size())).isEqualTo(intact);
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 << at % Byte.SIZE);
      Files.write(file, changed);
      List<String> found = left(kind + ", changed at " + at + " B", entries);
      refused += (ends ? 0 : 1) + (found.toString().contains(REFUSED) ? 1 : 0);
      damages += 2;
    }
    System.out.printf(
        "journal by %s: %d damages, %d refused, a group left out after %d%n",
        kind, damages, refused, leftOut);
    // Where stores keep their order no group can be there in part, and none is checked.
    assertThat(leftOut > 0).isEqualTo(kind.equals("plain"));
  }

  /** A mark that is cut says nothing, so no journal is given up for it. */
  @Test
  void aMarkThatIsCutGivesNoJournalUp() throws Exception {
    bookie.checkpoint(0x7000_0000_0000_0012L);
    Path file = bookie.ledgers.resolve("lastMark");
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      LastMark mark =
          LastMark.of(bookie.journals.toFile(), bookie.configuration(BookieDirectories.OURS));
      bookie.checkpoint(0x7000_0000_0000_0011L);
      assertThat(mark.durablyBeyond(0)).as("one mark alone").isFalse();
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(mark.durablyBeyond(0)).as("%d B", length).isFalse();
      Files.write(file, whole);
      assertThat(mark.durablyBeyond(0)).as("two marks").isTrue();
    }
  }

  /** The only journal, after a clean end; its entries are small. */
  private Path written(String kind) throws Exception {
    if (kind.equals("mapped")) {
      InMemory.mapped(true);
      bookie = new BookieDirectories(memory);
      bookie.checkpoint(0);
    }
    var configuration = bookie.configuration(BookieDirectories.OURS);
    Journal journal = bookie.journal(configuration);
    journal.start();
    new LoggedEntries(SEED, 60).log(journal, ENTRIES);
    journal.shutdown();
    List<Long> ids = Journal.listJournalIds(bookie.journals.toFile(), null);
    assertThat(ids).hasSize(1);
    return bookie.journalFile(ids.get(0));
  }

  /** Each byte of the header that means something and of some records; some of the others. */
  private static int next(int at) {
    boolean header = at < HEADER_BYTES;
    boolean dense = header ? at < 16 : at < HEADER_BYTES + 300;
    return at + (dense ? 1 : header ? 62 : 7);
  }

  private static int end(byte[] whole) {
    int end = whole.length;
    while (whole[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /** What BookKeeper's own provider finds, or less of it, and then nothing that was changed. */
  private List<String> left(String what, List<String> entries) throws IOException {
    List<String> found = replayed(ours);
    List<String> byTheirs = replayed(theirs);
    if (!found.equals(byTheirs)) {
      leftOut++;
      assertThat(found).as(what).hasSizeLessThanOrEqualTo(byTheirs.size());
      assertThat(found).as(what).isEqualTo(entries.subList(0, found.size()));
    }
    return found;
  }

  /** What the only journal's replay hands over, in a few words, and how it ends if not well. */
  private List<String> replayed(Journal journal) throws IOException {
    List<String> found = new ArrayList<>();
    try {
      for (long id : Journal.listJournalIds(journal.getJournalDirectory(), null)) {
        journal.scanJournal(
            id,
            0,
            (version, offset, entry) -> {
              CRC32C checksum = new CRC32C();
              int bytes = entry.remaining();
              checksum.update(entry);
              found.add(offset + ": " + bytes + " B, " + checksum.getValue());
            },
            false);
      }
    } catch (IOException | IllegalArgumentException e) { // of a padding's length below zero, too
      found.add(REFUSED + e);
    }
    return found;
  }
}
