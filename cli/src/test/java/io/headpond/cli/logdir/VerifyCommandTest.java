// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static io.headpond.cli.logdir.LogDirFixture.zeroTail;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
  @TempDir Path root;
  private LogDirFixture fixture;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
  }

  /** Two tiers, home segments, tier segments, all right. */
  private void healthy() throws IOException {
    fixture.tier("pmem");
    fixture.tier("nvme");
    fixture.tierSegment("pmem", "orders-0", 0, batches(0, 5));
    fixture.tierSegment("nvme", "orders-0", 50, batches(50, 5));
    fixture.homeSegment("orders-0", 100, batches(100, 5));
    fixture.tierSegment("pmem", "orders-1", 0, new byte[0]);
    fixture.homeSegment("__cluster_metadata-0", 0, batches(0, 2));
    fixture.stoppedCleanly();
  }

  private Run verify() {
    return Run.of("verify", fixture.logDir.toString());
  }

  private JsonNode verifyJson(int exitCode) throws IOException {
    Run run = Run.of("verify", "--json", fixture.logDir.toString());
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  private List<String> kinds(int exitCode) throws IOException {
    List<String> kinds = new ArrayList<>();
    for (JsonNode finding : verifyJson(exitCode).at("/log_dirs/0/findings")) {
      kinds.add(finding.get("severity").asText() + " " + finding.get("kind").asText());
    }
    return kinds;
  }

  @Test
  void aHealthyLogDirHasNoFindingAndIsNotTouched() throws IOException {
    healthy();
    Map<String, String> before = LogDirFixture.contents(root);
    JsonNode json = verifyJson(0);
    assertThat(json.get("ok").asBoolean()).isTrue();
    JsonNode logDir = json.at("/log_dirs/0");
    assertThat(logDir.get("state").asText()).isEqualTo("stopped");
    assertThat(logDir.get("partitions").asInt()).isEqualTo(3);
    assertThat(logDir.get("segments").asInt()).isEqualTo(5);
    assertThat(logDir.get("segments_in_tiers").asInt()).isEqualTo(3);
    assertThat(logDir.get("segments_at_home").asInt()).isEqualTo(2);
    assertThat(logDir.get("batches").asInt()).isEqualTo(17);
    assertThat(logDir.get("records").asInt()).isEqualTo(170);
    assertThat(logDir.get("findings")).isEmpty();
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aPlainKafkaLogDirCanBeCheckedToo() throws IOException {
    fixture.homeSegment("orders-0", 0, batches(0, 5));
    assertThat(verify().exitCode()).isZero();
  }

  /** Nobody can look behind such a name, whatever rights he has. */
  @Test
  void aPartitionThatCannotBeListedHidesNoOther() throws IOException {
    healthy();
    Path partition = Files.createDirectories(fixture.logDir.resolve("broken-0"));
    Path name = partition.resolve("00000000000000000000.log");
    Files.createSymbolicLink(name, Path.of("/" + "x".repeat(300)));
    byte[] content = batches(0, 5);
    content[content.length / 2] ^= 1;
    fixture.homeSegment("orders-2", 0, content);
    assertThat(kinds(1)).containsExactly("problem unreadable", "problem corrupt_batch");
    assertThat(verifyJson(1).at("/log_dirs/0/findings/0/detail").asText())
        .contains("name too long");
  }

  @Test
  void aLogDirThatCannotBeReadHidesNoOther() throws IOException {
    healthy();
    byte[] content = batches(0, 5);
    content[content.length / 2] ^= 1;
    fixture.homeSegment("orders-2", 0, content);
    Path unreadable = Files.createDirectories(root.resolve("unreadable"));
    Files.createDirectories(unreadable.resolve(".headpond"));
    Run run = Run.of("verify", unreadable.toString(), fixture.logDir.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("PROBLEM: unreadable: " + unreadable, "corrupt batch", "2 problems found");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void aFlippedBitInTheMiddleIsACorruptBatch() throws IOException {
    fixture.tier("pmem");
    byte[] content = batches(0, 5);
    content[content.length / 2] ^= 1;
    fixture.tierSegment("pmem", "orders-0", 0, content);
    // Not stopped cleanly: Kafka would cut the log here, and acknowledged batches follow.
    assertThat(kinds(1)).containsExactly("problem corrupt_batch");
    assertThat(verify().out()).contains("PROBLEM: corrupt batch").contains("1 problem found");
  }

  @Test
  void everyFlippedByteOfAStoppedLogIsFound() throws IOException {
    byte[] content = batches(0, 1);
    fixture.stoppedCleanly();
    for (int i = 0; i < content.length; i += 7) {
      byte[] bad = content.clone();
      bad[i] ^= 0x40;
      fixture.homeSegment("orders-0", 0, bad);
      // Bytes 12 to 15 are the leader epoch, which the CRC leaves out because brokers rewrite it.
      boolean uncovered = i >= 12 && i < 16;
      // Bytes 0 to 7 are the base offset, left out too; another one than the log's is seen only if
      // smaller.
      if (!uncovered && i >= 8) {
        assertThat(verify().exitCode()).as("byte " + i).isEqualTo(1);
      }
    }
  }

  @Test
  void offsetsOfAnotherSegmentAreFoundAlthoughTheirCrcIsRight() throws IOException {
    fixture.homeSegment("orders-0", 1000, batches(0, 2));
    assertThat(kinds(1))
        .containsExactly("problem offsets_not_increasing", "problem offsets_not_increasing");
  }

  @Test
  void segmentsThatOverlapAreFound() throws IOException {
    fixture.homeSegment("orders-0", 0, batches(0, 3));
    fixture.homeSegment("orders-0", 20, batches(20, 3));
    assertThat(kinds(1)).containsExactly("problem overlapping_segments");
  }

  @Test
  void aZeroTailIsAllowedOnlyInTheLastSegmentOfABrokerThatWasKilled() throws IOException {
    fixture.tier("pmem");
    fixture.tierSegment("pmem", "orders-0", 0, batches(0, 3));
    fixture.tierSegment("pmem", "orders-0", 30, zeroTail(batches(30, 3), 65_536));
    assertThat(kinds(0)).containsExactly("note zero_tail");
    fixture.stoppedCleanly();
    assertThat(kinds(1)).containsExactly("problem zero_tail");
  }

  @Test
  void aZeroTailInTheMiddleOfALogIsAProblemAlways() throws IOException {
    fixture.tier("pmem");
    fixture.tierSegment("pmem", "orders-0", 0, zeroTail(batches(0, 3), 1));
    fixture.tierSegment("pmem", "orders-0", 30, batches(30, 3));
    assertThat(kinds(1)).containsExactly("problem zero_tail");
    assertThat(verify().out()).contains("would delete every later segment");
  }

  @Test
  void aTornTailIsAllowedOnlyInTheLastSegmentOfABrokerThatWasKilled() throws IOException {
    byte[] content = batches(30, 3);
    fixture.homeSegment("orders-0", 0, batches(0, 3));
    fixture.homeSegment("orders-0", 30, Arrays.copyOf(content, content.length - 100));
    assertThat(kinds(0)).containsExactly("note torn_tail");
    fixture.stoppedCleanly();
    assertThat(kinds(1)).containsExactly("problem torn_tail");
  }

  @Test
  void aMissingTierIsNamedWithItsRemedy() throws IOException {
    healthy();
    Path tier = fixture.tierPath("pmem");
    Files.move(tier, root.resolve("elsewhere"));
    assertThat(kinds(1))
        .contains("problem missing_tier", "problem lost_segment")
        .doesNotContain("problem corrupt_batch");
    assertThat(verify().out()).contains("mount").contains(tier.toString());
    Files.createDirectory(tier);
    assertThat(verify().out()).contains("isn't mounted");
  }

  @Test
  void aForeignTierIsNamed() throws IOException {
    healthy();
    Files.writeString(
        fixture.tierPath("pmem").resolve(".headpond"),
        "format=1\nkind=tier\nid=00000000-0000-0000-0000-000000000001\ntier=pmem\n");
    assertThat(kinds(1)).containsExactly("problem foreign_tier");
  }

  @Test
  void aLostTierFileIsALostSegmentUnlessTheEngineWasDeletingIt() throws IOException {
    healthy();
    Path link = fixture.tierSegment("pmem", "orders-0", 150, batches(150, 1));
    Files.delete(Files.readSymbolicLink(link));
    assertThat(kinds(1)).containsExactly("problem lost_segment");
    Files.move(link, link.resolveSibling(link.getFileName() + ".deleted"));
    assertThat(kinds(0)).containsExactly("note dangling_deleted");
  }

  @Test
  void aLinkOutOfTheTiersIsAProblem() throws IOException {
    healthy();
    Path outside = Files.write(root.resolve("outside"), batches(150, 1));
    Path name = fixture.homeSegment("orders-0", 150, new byte[0]);
    Files.delete(name);
    Files.createSymbolicLink(name, outside);
    assertThat(kinds(1)).containsExactly("problem link_outside_tiers");
  }

  @Test
  void linksWithoutAnIdentityAreAProblem() throws IOException {
    healthy();
    Files.delete(fixture.logDir.resolve(".headpond"));
    assertThat(kinds(1)).hasSize(3).containsOnly("problem link_outside_tiers");
  }

  @Test
  void aDamagedIdentityIsAProblem() throws IOException {
    healthy();
    Files.writeString(fixture.logDir.resolve(".headpond"), "format=7\nkind=home\n");
    assertThat(kinds(1)).contains("problem damaged_identity");
  }

  @Test
  void twoNamesForOneTierFileAreAProblem() throws IOException {
    healthy();
    Path link = fixture.logDir.resolve("orders-1/00000000000000000000.log");
    Path target = Files.readSymbolicLink(link);
    Files.createSymbolicLink(link.resolveSibling("00000000000000000009.log"), target);
    assertThat(kinds(1)).containsExactly("problem shared_tier_file");
  }

  @Test
  void orphansQuarantineAndUnfinishedMovesAreNotes() throws IOException {
    healthy();
    Files.write(fixture.segments("pmem").resolve("orders-0.x.log.0000000000000abc"), new byte[9]);
    Path quarantine = fixture.tierPath("pmem").resolve("quarantine/" + fixture.home);
    Files.write(Files.createDirectories(quarantine).resolve("old"), new byte[9]);
    Files.write(fixture.logDir.resolve("headpond-0123.move"), new byte[9]);
    assertThat(kinds(0))
        .containsExactlyInAnyOrder("note orphan", "note quarantined", "note unfinished_move");
  }

  @Test
  void theFileOfALogsNextSegmentIsNothingToReport() throws IOException {
    healthy();
    Files.createFile(fixture.segments("pmem").resolve("orders-0.next.0123456789abcdef"));
    assertThat(kinds(0)).isEmpty();
  }

  @Test
  void beforeARunningBrokerTheActiveSegmentMayHaveATail() throws Exception {
    fixture.tier("pmem");
    fixture.tierSegment("pmem", "orders-0", 0, zeroTail(batches(0, 3), 65_536));
    try (LockHolder broker = new LockHolder(fixture.logDir.resolve(".lock"))) {
      JsonNode json = verifyJson(0);
      assertThat(json.at("/log_dirs/0/state").asText()).isEqualTo("running");
      assertThat(broker.pid()).isPositive();
    }
    assertThat(verifyJson(0).at("/log_dirs/0/state").asText()).isEqualTo("not_cleanly_stopped");
  }

  @Test
  void aCopiedLogDirIsFoundBesideItsOriginal() throws IOException {
    healthy();
    Path copy = Files.createDirectory(root.resolve("copy"));
    Files.copy(fixture.logDir.resolve(".headpond"), copy.resolve(".headpond"));
    Run run = Run.of("verify", fixture.logDir.toString(), copy.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("duplicate home").contains("same identity");
  }

  /** A link that was copied beside a running broker, whose segment has gone since. */
  @Test
  void aCopyWhoseLinkDanglesIsToldToCopyData() throws IOException {
    healthy();
    Path link = fixture.tierSegment("pmem", "orders-0", 150, batches(150, 1));
    Path copy = Files.createDirectories(root.resolve("copy/orders-0"));
    Files.copy(fixture.logDir.resolve(".headpond"), copy.resolveSibling(".headpond"));
    Files.copy(link, copy.resolve(link.getFileName()), LinkOption.NOFOLLOW_LINKS);
    Files.delete(Files.readSymbolicLink(link));
    Files.delete(link);
    Run run = Run.of("verify", copy.getParent().toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("lost segment", "a copy that kept links", "rsync -L");
  }

  @Test
  void moreFaultsThanTheLimitAreCounted() throws IOException {
    byte[] content = batches(0, SegmentCheck.FAULTS_MAX + 5);
    int batch = content.length / (SegmentCheck.FAULTS_MAX + 5);
    for (int i = 0; i < SegmentCheck.FAULTS_MAX + 3; i++) {
      content[i * batch + 100] ^= 1;
    }
    fixture.homeSegment("orders-0", 0, content);
    JsonNode logDir = verifyJson(1).at("/log_dirs/0");
    assertThat(logDir.get("problems").asInt()).isEqualTo(SegmentCheck.FAULTS_MAX + 3);
    assertThat(logDir.get("findings")).hasSize(SegmentCheck.FAULTS_MAX);
    assertThat(logDir.get("findings_left_out").asInt()).isEqualTo(3);
  }

  @Test
  void aProblemAmongFindingsPastTheLimitStillCounts() throws IOException {
    healthy();
    for (int i = 0; i < LogDirCheck.FINDINGS_MAX; i++) {
      Files.createFile(fixture.logDir.resolve("headpond-" + i + ".move"));
    }
    // The partition that is read last.
    fixture.homeSegment("zoo-0", 0, new byte[10]);
    Path left = Files.write(fixture.segments("pmem").resolve("orphan"), new byte[1]);
    JsonNode logDir = verifyJson(1).at("/log_dirs/0");
    assertThat(logDir.get("findings")).hasSize(LogDirCheck.FINDINGS_MAX);
    assertThat(logDir.get("findings_left_out").asInt()).isEqualTo(2);
    assertThat(logDir.get("problems").asInt()).isEqualTo(1);
    assertThat(left).exists();
  }

  @Test
  void aDirectoryThatIsNotThereIsOneClearLine() {
    Run run = Run.of("verify", root.resolve("nowhere").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).contains("nowhere: no such directory; give a");
    assertThat(Run.of("verify").exitCode()).isEqualTo(2);
  }

  /** What its links lead to is needed. */
  @Test
  void aPartitionWhoseDiskIsNotMountedMakesNoFileAnOrphan() throws IOException {
    healthy();
    Path link = fixture.linkedDirectory("orders-0");
    Path disk = Files.readSymbolicLink(link).getParent();
    Files.move(disk, root.resolve("not mounted"));
    Run run = verify();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains(link.toString(), "leads nowhere").doesNotContain("orphan");
  }
}
