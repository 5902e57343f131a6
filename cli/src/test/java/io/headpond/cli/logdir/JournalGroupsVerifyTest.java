// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.bookkeeper.CheckedJournal;
import io.headpond.bookkeeper.CheckedJournal.Group;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals whose groups have checks: whole, torn by a power cut, or damaged by a device. */
class JournalGroupsVerifyTest {
  private static final int SECTOR_BYTES = 512;
  private static final int JOURNALS = 40;
  private static final long NUMBER = 0x20;

  @TempDir Path root;
  private final long seed = Long.getLong("headpond.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private BookieFixture bookie;
  private Path file;

  @BeforeEach
  void directories() throws IOException {
    System.out.println("seed " + seed);
    bookie = new BookieFixture(root);
    file = bookie.journal.resolve(Long.toHexString(NUMBER) + ".txn");
    mark(SECTOR_BYTES);
  }

  private void mark(long offset) throws IOException {
    byte[] mark = ByteBuffer.allocate(16).putLong(NUMBER).putLong(offset).array();
    Files.write(bookie.home.resolve("lastMark"), mark);
  }

  private JsonNode verified(byte[] journal, int exitCode) throws IOException {
    Files.write(file, journal);
    Run run = Run.of("verify", "--json", "--bookkeeper", bookie.conf.toString());
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out()).at("/journal_directories/0");
  }

  private static int entries(List<Group> groups) {
    return groups.stream().mapToInt(Group::entries).sum();
  }

  private static int contentEnd(byte[] journal) {
    int end = journal.length;
    while (journal[end - 1] == 0) {
      end--;
    }
    return end;
  }

  @Test
  void whatACutLeavesOfAGroupIsANoteAndNoRecord() throws IOException {
    int torn = 0;
    for (int i = 0; i < JOURNALS; i++) {
      CheckedJournal journal = new CheckedJournal();
      for (int group = random.nextInt(20); group > 0; group--) {
        journal.group(1 + random.nextInt(4), random.nextInt(4) > 0, random);
        journal.force();
      }
      int durable = journal.groups().size();
      for (int group = 1 + random.nextInt(10); group > 0; group--) {
        journal.group(1 + random.nextInt(4), random.nextInt(4) > 0, random);
      }
      List<Group> groups = journal.groups();
      byte[] whole = journal.content();
      assertThat(verified(whole, 0).get("records").asInt()).isEqualTo(entries(groups));
      byte[] left = whole.clone();
      for (int at = groups.get(durable).start(); at < left.length; at += SECTOR_BYTES) {
        if (random.nextInt(8) == 0) {
          Arrays.fill(left, at, at + SECTOR_BYTES, (byte) 0);
        }
      }
      int intact = durable;
      while (intact < groups.size() && same(whole, left, groups.get(intact))) {
        intact++;
      }
      JsonNode json = verified(left, 0);
      assertThat(json.get("records").asInt()).isEqualTo(entries(groups.subList(0, intact)));
      int end = intact == 0 ? SECTOR_BYTES : groups.get(intact - 1).end();
      if (contentEnd(left) <= end) {
        assertThat(json.get("findings")).isEmpty();
        continue;
      }
      torn++;
      JsonNode part = json.at("/not_whole/0");
      assertThat(part.get("path").asText()).isEqualTo(file.toString());
      assertThat(part.get("code").asText()).isEqualTo("HP0714");
      assertThat(part.get("position").asInt()).isEqualTo(end);
      assertThat(part.get("bytes").asInt()).isEqualTo(contentEnd(left) - end);
      assertThat(part.get("records").asInt()).isLessThanOrEqualTo(entries(groups));
      assertThat(json.at("/findings/0/severity").asText()).isEqualTo("note");
      assertThat(json.at("/findings/0/kind").asText()).isEqualTo("torn_group");
      assertThat(json.at("/findings/0/detail").asText())
          .contains("whole up to byte " + end + ";", "no client was told", "(HP0714)");
      boolean begun = ByteBuffer.wrap(left).getInt(end) != 0;
      assertThat(json.at("/findings/0/detail").asText().contains("dmesg")).isEqualTo(begun);
      assertThat(json.get("findings")).hasSize(1);
      // The start that left it out has moved the mark behind it.
      mark(left.length);
      JsonNode after = verified(left, 0);
      assertThat(after.get("findings")).isEmpty();
      assertThat(after.get("records").asInt()).isEqualTo(entries(groups.subList(0, intact)));
      mark(SECTOR_BYTES);
    }
    System.out.printf("%d of %d journals have a torn group%n", torn, JOURNALS);
    assertThat(torn).isPositive();
  }

  private static boolean same(byte[] whole, byte[] left, Group group) {
    return Arrays.equals(whole, group.start(), group.end(), left, group.start(), group.end());
  }

  @Test
  void damageInFrontOfWhatIsDurableIsAProblem() throws IOException {
    for (int i = 0; i < JOURNALS; i++) {
      CheckedJournal journal = new CheckedJournal();
      for (int group = 0; group < 20; group++) {
        journal.group(1 + random.nextInt(4), true, random);
        journal.force();
      }
      List<Group> groups = journal.groups();
      byte[] damaged = journal.content();
      Group group = groups.get(random.nextInt(groups.size() - 2)); // nobody knows the last ones
      damaged[group.start() + 4 + random.nextInt(16)] ^= 1;
      JsonNode json = verified(damaged, 1);
      assertThat(json.get("records").asInt()).isEqualTo(entries(groups));
      JsonNode part = json.at("/not_whole/0");
      assertThat(part.get("code").asText()).isEqualTo("HP0715");
      assertThat(part.get("position").asInt()).isEqualTo(group.start());
      assertThat(part.get("records").asInt()).isEqualTo(group.entries());
      assertThat(part.get("bytes").asInt()).isEqualTo(group.end() - group.start());
      assertThat(json.at("/findings/0/severity").asText()).isEqualTo("problem");
      assertThat(json.at("/findings/0/kind").asText()).isEqualTo("damaged_group");
      assertThat(json.at("/findings/0/detail").asText())
          .contains("whole up to byte " + group.start() + ";", "(HP0715)", "smartctl -a");
      assertThat(json.get("findings")).hasSize(1);
    }
  }
}
