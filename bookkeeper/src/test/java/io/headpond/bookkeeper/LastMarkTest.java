// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which journals no restart replays. */
class LastMarkTest {
  @TempDir Path folder;
  private BookieDirectories bookie;
  private LastMark mark;

  @BeforeEach
  void aBookie() throws IOException {
    bookie = new BookieDirectories(folder);
    mark = LastMark.of(bookie.journals.toFile(), bookie.configuration(BookieDirectories.OURS));
  }

  @Test
  void withoutACheckpointEveryJournalIsNeeded() throws IOException {
    assertThat(mark.durablyBeyond(0)).isFalse();
  }

  /** Two marks in that journal, each of them seen. */
  private void passed(long id) throws IOException {
    bookie.checkpoint(id, 512);
    assertThat(mark.durablyBeyond(id)).isFalse();
    bookie.checkpoint(id, 1024);
  }

  @Test
  void theJournalOfTheMarkItselfIsNeeded() throws IOException {
    passed(0x12);
    assertThat(mark.durablyBeyond(0x11)).isTrue();
    assertThat(mark.durablyBeyond(0x12)).isFalse();
  }

  @Test
  void aMarkThatWasForcedIsNotLookedAtAgain() throws IOException {
    passed(0x12);
    assertThat(mark.durablyBeyond(0x11)).isTrue();
    Files.delete(bookie.ledgers.resolve("lastMark"));
    assertThat(mark.durablyBeyond(0x10)).isTrue();
    assertThat(mark.durablyBeyond(0x12)).isFalse();
    passed(0x13);
    assertThat(mark.durablyBeyond(0x12)).isTrue();
  }

  @Test
  void aJournalIsPassedByTheLowerOfTwoMarks() throws IOException {
    passed(0x11);
    assertThat(mark.durablyBeyond(0x10)).isTrue();
    bookie.checkpoint(0x14);
    assertThat(mark.durablyBeyond(0x11)).isFalse();
    bookie.checkpoint(0x12); // the older of two checkpoints ended last
    assertThat(mark.durablyBeyond(0x11)).isTrue();
    assertThat(mark.durablyBeyond(0x12)).isFalse();
    bookie.checkpoint(0x14);
    assertThat(mark.durablyBeyond(0x12)).isFalse();
    bookie.checkpoint(0x14, 1024);
    assertThat(mark.durablyBeyond(0x13)).isTrue();
  }

  @Test
  void aMarkThatIsBeingWrittenSaysNothing() throws IOException {
    Files.write(bookie.ledgers.resolve("lastMark"), new byte[] {1, 2, 3});
    assertThat(mark.durablyBeyond(0)).isFalse();
  }
}
