// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.BookieFixture.entryLog;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a bookie's journals and entry logs lie, and on what. */
class BookieStatusTest {
  @TempDir Path root;
  private BookieFixture bookie;
  private byte[] log;

  @BeforeEach
  void directories() throws IOException {
    bookie = new BookieFixture(root);
    log = entryLog(20, true);
    bookie.homeLog(9, log);
    bookie.fastLog(10, log);
    bookie.fastLog(11, log);
    bookie.journal(0x190, 7);
  }

  private Run status(String... options) {
    String[] all = new String[options.length + 3];
    all[0] = "status";
    all[1] = "--bookkeeper";
    all[2] = bookie.conf.toString();
    System.arraycopy(options, 0, all, 3, options.length);
    return Run.of(all);
  }

  private JsonNode json(int exitCode) throws IOException {
    Run run = status("--json");
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void eachFileIsShownWithItsPlaceAndItsDevice() throws IOException {
    Map<String, String> before = LogDirFixture.contents(root);
    JsonNode json = json(0);
    assertThat(json.get("running").asBoolean()).isFalse();
    assertThat(json.get("pid").isNull()).isTrue();
    JsonNode journal = json.at("/journals/0");
    assertThat(journal.get("plug_in").asBoolean()).isTrue();
    assertThat(journal.get("back_end").asText()).isNotEmpty();
    assertThat(journal.at("/device/durability").asText()).isIn("durable", "unknown", "volatile");
    assertThat(journal.at("/files/0/name").asText()).isEqualTo("190.txn");
    assertThat(journal.get("bytes").asLong()).isEqualTo(journal.at("/files/0/bytes").asLong());
    JsonNode ledgers = json.at("/ledgers/0");
    assertThat(ledgers.get("entry_logs").findValuesAsText("name"))
        .containsExactly("9.log", "a.log", "b.log");
    assertThat(ledgers.get("entry_logs").findValuesAsText("place"))
        .containsExactly("home", "fast", "fast");
    assertThat(ledgers.at("/entry_logs/1/file").asText())
        .isEqualTo(bookie.fastLogs.resolve("a.log").toString());
    assertThat(ledgers.get("fast_bytes").asLong()).isEqualTo(2L * log.length);
    assertThat(ledgers.get("home_bytes").asLong()).isEqualTo(log.length);
    assertThat(ledgers.at("/fast/0/capacity_bytes").asLong()).isEqualTo(64 << 20);
    assertThat(ledgers.at("/fast/0/threshold").asDouble()).isEqualTo(0.5);
    assertThat(ledgers.at("/fast/0/device/durability").asText())
        .isIn("durable", "unknown", "volatile");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aBookieIsKnownByTheJournalThatItWrites() throws IOException {
    try (LockHolder writer = new LockHolder(bookie.journal.resolve("190.txn"))) {
      JsonNode json = json(0);
      assertThat(json.get("running").asBoolean()).isTrue();
      assertThat(json.get("pid").asLong()).isEqualTo(writer.pid());
    }
  }

  @Test
  void aRunningBookieIsNamed() throws Exception {
    Path index = Files.createDirectories(bookie.home.resolve("ledgers"));
    try (LockHolder holder = new LockHolder(index.resolve("LOCK"))) {
      JsonNode json = json(0);
      assertThat(json.get("running").asBoolean()).isTrue();
      assertThat(json.get("pid").asLong()).isEqualTo(holder.pid());
    }
  }

  @Test
  void whatIsMissingIsShownAndGivesExitCodeOne() throws IOException {
    Files.delete(bookie.fastLogs.resolve("b.log"));
    assertThat(json(1).at("/ledgers/0/dangling").asInt()).isEqualTo(1);
    assertThat(status().out())
        .contains("names that lead nowhere: 1", "b.log  MISSING  fast", "verify");
    Files.move(bookie.fast, root.resolve("elsewhere"));
    assertThat(json(1).at("/ledgers/0/fast/0/problem").asText()).contains("isn't there");
    Files.move(bookie.journal, root.resolve("gone"));
    assertThat(json(1).at("/journals/0/problem").asText()).contains("isn't there");
    assertThat(status().out()).contains("journal " + bookie.journal.getParent() + ": PROBLEM");
  }

  @Test
  void aBookieWithoutHeadpondIsShownToo() throws IOException {
    Path ledgers = Files.createDirectories(root.resolve("plain/ledgers"));
    Files.createDirectories(ledgers.resolve("current"));
    Files.write(ledgers.resolve("current/0.log"), log);
    Path journal = Files.createDirectories(root.resolve("plain/journal/current"));
    Files.writeString(
        bookie.conf,
        "ledgerDirectories=" + ledgers + "\njournalDirectory=" + journal.getParent() + "\n");
    JsonNode json = json(0);
    assertThat(json.at("/journals/0/plug_in").asBoolean()).isFalse();
    assertThat(json.at("/ledgers/0/fast")).isEmpty();
    assertThat(json.at("/ledgers/0/entry_logs/0/place").asText()).isEqualTo("home");
  }

  @Test
  void directoriesThatAreGivenTwiceAreNobodysToGuess() throws IOException {
    Files.writeString(
        bookie.conf, "ledgerDirectories=" + bookie.journal + "\n", StandardOpenOption.APPEND);
    for (String command : List.of("status", "verify", "drain")) {
      Run run = Run.of(command, "--bookkeeper", bookie.conf.toString());
      assertThat(run.exitCode()).as(command).isEqualTo(1);
      assertThat(run.err()).contains("gives ledgerDirectories more than once");
    }
  }

  @Test
  void aLogDirectoryOrAConfigurationIsGivenAndNotBoth() {
    assertThat(Run.of("status").exitCode()).isEqualTo(2);
    assertThat(status(root.toString()).err()).contains("either LOGDIR or --bookkeeper FILE");
    assertThat(status("--watch").err())
        .contains("--watch, --topics and --partition are for a broker");
  }
}
