// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** BookKeeper's journal thread writes on while its force-write thread forces. */
class ForceBesideWritesTest {
  private static final int GROUP_BYTES = 512;
  private static final int RECORD_BYTES = 100;
  private static final int PADDING_MASK = -0x100;

  @TempDir Path folder;
  private JournalDirectory directory;

  @BeforeEach
  void open() throws IOException {
    BookieDirectories bookie = new BookieDirectories(folder);
    directory =
        JournalDirectory.of(bookie.journals.toFile(), bookie.configuration(BookieDirectories.OURS));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void whatIsWrittenDuringAForceIsForcedByTheNext() throws IOException {
    MemoryJournal journal = begun(null);
    journal.write(group());
    journal.writtenDuringForce = Optional.of(group());
    journal.force(false);
    assertThat(journal.forces).isEqualTo(1);
    journal.force(false);
    assertThat(journal.forces).isEqualTo(2);
    journal.force(false);
    assertThat(journal.forces).as("nothing is left to be forced").isEqualTo(2);
  }

  /** A start would take it for damaged where it is torn, and replay what is left of it. */
  @Test
  void whatIsWrittenDuringAForceIsNotCalledDurable() throws IOException {
    MemoryJournal journal = begun(new GroupChecks());
    journal.write(group());
    journal.writtenDuringForce = Optional.of(group());
    journal.force(false);
    journal.write(group());
    int start = HeaderGroups.BYTES + 2 * GROUP_BYTES;
    int trailer = start + GROUP_BYTES - GroupTrailer.BYTES;
    assertThat(GroupTrailer.read(journal.content.position(trailer)).forced(start))
        .isEqualTo(HeaderGroups.BYTES + GROUP_BYTES);
  }

  private MemoryJournal begun(GroupChecks checks) throws IOException {
    MemoryJournal journal = new MemoryJournal(folder.resolve("20.txn"), checks, directory);
    directory.forces().begun(journal);
    journal.write(ByteBuffer.allocate(HeaderGroups.BYTES));
    return journal;
  }

  /** A record, padded to a sector. */
  private static ByteBuffer group() {
    int padding = GROUP_BYTES - RECORD_BYTES - 3 * RecordTrail.LENGTH_BYTES;
    return ByteBuffer.allocate(GROUP_BYTES)
        .putInt(0, RECORD_BYTES)
        .putInt(RecordTrail.LENGTH_BYTES + RECORD_BYTES, PADDING_MASK)
        .putInt(2 * RecordTrail.LENGTH_BYTES + RECORD_BYTES, padding);
  }

  /** Its first force is long enough for another group. */
  private static final class MemoryJournal extends JournalFileChannel {
    private final ByteBuffer content = ByteBuffer.allocate(1 << 16);
    private Optional<ByteBuffer> writtenDuringForce = Optional.empty();
    private int forces;

    MemoryJournal(Path file, GroupChecks checks, JournalDirectory directory) {
      super(file, true, checks, directory);
    }

    @Override
    void store(ByteBuffer source, long at) {
      content.position((int) at).put(source);
    }

    @Override
    void finish(ByteBuffer rest, long at, ByteBuffer terminator, GroupHead group) {
      store(rest, at);
      store(group.head(), group.start());
    }

    @Override
    boolean durableAtReturn() {
      return false;
    }

    @Override
    boolean allocated(long at) {
      return true;
    }

    @Override
    void persist(boolean metadata) throws IOException {
      forces++;
      Optional<ByteBuffer> group = writtenDuringForce;
      writtenDuringForce = Optional.empty();
      if (group.isPresent()) {
        write(group.get());
      }
    }

    @Override
    void closeFile() {}
  }
}
