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

  @Test
  void theJournalOfTheMarkItselfIsNeeded() throws IOException {
    bookie.checkpoint(0x12);
    assertThat(mark.durablyBeyond(0x11)).isTrue();
    assertThat(mark.durablyBeyond(0x12)).isFalse();
  }

  @Test
  void aMarkThatWasForcedIsNotLookedAtAgain() throws IOException {
    bookie.checkpoint(0x12);
    assertThat(mark.durablyBeyond(0x11)).isTrue();
    Files.delete(bookie.ledgers.resolve("lastMark"));
    assertThat(mark.durablyBeyond(0x10)).isTrue();
    assertThat(mark.durablyBeyond(0x12)).isFalse();
    bookie.checkpoint(0x13);
    assertThat(mark.durablyBeyond(0x12)).isTrue();
  }

  @Test
  void aMarkThatIsBeingWrittenSaysNothing() throws IOException {
    Files.write(bookie.ledgers.resolve("lastMark"), new byte[] {1, 2, 3});
    assertThat(mark.durablyBeyond(0)).isFalse();
  }
}
