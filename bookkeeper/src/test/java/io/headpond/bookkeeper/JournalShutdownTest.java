// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.SimulatedDisks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A journal in memory that counts shutdowns at which it lost something. */
class JournalShutdownTest {
  private SimulatedDisks disks;
  private Path journals;
  private int files;

  @BeforeEach
  void makeDirectory() throws IOException {
    disks = new SimulatedDisks();
    journals = disks.device("journal", true);
  }

  @AfterEach
  void close() throws IOException {
    disks.close();
  }

  /** A bookie's first journal after its start, and what was said. */
  private String begun() throws IOException {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    final ServerConfiguration configuration = new ServerConfiguration();
    try (JournalDirectory directory =
        JournalDirectory.of(journals, new LastMark(List.of()), JournalGrowth.FAST, configuration)) {
      final Path file = Files.createFile(journals.resolve(files++ + ".txn"));
      directory.writing(file, configuration).close();
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theNextStartSaysThatEntriesMayBeMissing() throws IOException {
    disks.shutdowns(2);
    assertThat(begun()).doesNotContain("HP0713");
    disks.shutdowns(3);
    assertThat(begun()).contains("HP0713 ", "(dirty_shutdown nmem0=2, now nmem0=3)");
    assertThat(begun()).doesNotContain("HP0713");
  }

  @Test
  void memoryThatCountsNothingGetsNoFile() throws IOException {
    begun();
    assertThat(journals.resolve(".headpond.shutdowns")).doesNotExist();
  }
}
