// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.SimulatedDisks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fast directory in memory that counts shutdowns at which it lost something. */
class UncleanShutdownTest {
  private SimulatedDisks disks;
  private Path ledgers;
  private Path fast;

  @BeforeEach
  void makeDirectories() throws IOException {
    disks = new SimulatedDisks();
    ledgers = disks.device("ledgers", false);
    fast = disks.device("fast", true);
    disks.shutdowns(2);
    Files.createDirectory(ledgers.resolve("current"));
  }

  @AfterEach
  void close() throws IOException {
    disks.close();
  }

  private String opened() throws IOException {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      EntryLogPlaces.open(ledgers, fast);
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theNextStartSaysThatEntriesMayBeMissing() throws IOException {
    assertThat(opened()).doesNotContain("HP0713");
    assertThat(opened()).doesNotContain("HP0713");
    disks.shutdowns(3);
    assertThat(opened()).contains("HP0713 ", "(dirty_shutdown nmem0=2, now nmem0=3)");
    assertThat(opened()).doesNotContain("HP0713");
  }
}
