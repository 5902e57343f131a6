// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cut of logs that have lost a segment with a tier that an operator gives up. */
class RecoverCommandTest {
  private static final String POINTS = "recovery-point-offset-checkpoint";

  @TempDir Path root;
  private CutFixture fixture;
  private String file;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new CutFixture(root);
    file = fixture.configuration(false).toString();
  }

  private Run recover(String tier, String... more) {
    Stream<String> fixed = Stream.of("recover", file, "--tier", tier);
    return Run.of(Stream.concat(fixed, Stream.of(more)).toArray(String[]::new));
  }

  private JsonNode done() throws IOException {
    fixture.lose();
    return accepted("pmem");
  }

  private JsonNode accepted(String tier) throws IOException {
    Run run = recover(tier, "--accept-loss", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).as(verify.out()).isZero();
    return new ObjectMapper().readTree(run.out()).get(0);
  }

  private void refused(Run run, String... texts) {
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(texts);
  }

  @Test
  void withoutAnAnswerItOnlyNamesWhatWouldBeLost() throws IOException {
    fixture.lose();
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = recover("pmem");
    refused(run, "HP0119", "unknown: orders (0)", "--bootstrap-server", "--accept-loss");
    assertThat(run.out())
        .contains(fixture.logDir() + " has lost ")
        .contains("orders (0): cut at offset 100, 2 segments lost, 2 set aside; other replicas");
    JsonNode json = new ObjectMapper().readTree(recover("pmem", "--json").out()).get(0);
    assertThat(json.get("done").asBoolean()).isFalse();
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aTopicHasOneLine() throws IOException {
    for (int partition : new int[] {3, 4, 7}) {
      fixture.tierSegment("orders-" + partition, 50);
    }
    fixture.tierSegment("payments-1", 0);
    fixture.lose();
    assertThat(recover("pmem").out())
        .contains("  orders (0, 3-4, 7): cut, 5 segments lost, 2 set aside; ")
        .contains("  payments (1): cut at offset 0, 1 segment lost");
  }

  @Test
  void theLogKeepsItsSegmentsBelowTheFirstLostOne() throws IOException {
    JsonNode json = done();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000000.log", "00000000000000000050.log", "partition.metadata")
        .doesNotContain("00000000000000000100.log", "00000000000000000150.log")
        .doesNotContain("00000000000000000200.log", "00000000000000000250.log");
    JsonNode partition = json.at("/partitions/0");
    assertThat(partition.get("end_offset").asLong()).isEqualTo(100);
    assertThat(partition.get("lost_segments")).hasSize(2);
    assertThat(partition.get("set_aside")).hasSize(2);
    assertThat(fixture.names("orders-1")).contains("00000000000000000000.log");
    assertThat(Files.readString(fixture.logDir().resolve(".headpond")))
        .contains("tier.nvme")
        .doesNotContain("tier.pmem");
  }

  /**
   * A running broker would delete what it doesn't know in its own directories, but no such file.
   */
  @Test
  void noSegmentAboveTheCutIsDeleted() throws IOException {
    byte[] atHome = Files.readAllBytes(fixture.segment("orders-0", 150));
    Path inNvme = Files.readSymbolicLink(fixture.segment("orders-0", 200));
    byte[] there = Files.readAllBytes(inNvme);
    JsonNode json = done();
    List<String> aside =
        fixture.names("orders-0").stream().filter(n -> n.startsWith("headpond-aside.")).toList();
    assertThat(aside).hasSize(1).allMatch(name -> name.endsWith(".00000000000000000150.log"));
    Path file = fixture.logDir().resolve("orders-0").resolve(aside.get(0));
    assertThat(file).hasBinaryContent(atHome);
    assertThat(inNvme).hasBinaryContent(there);
    assertThat(json.get("set_aside"))
        .extracting(JsonNode::asText)
        .containsExactly(file.toString(), inNvme.toString());
    assertThat(Run.of("verify", fixture.logDir().toString()).out())
        .contains("set aside: " + file, "orphan: " + inNvme);
  }

  /** Else a power failure within a minute of the start would leave torn segments unexamined. */
  @Test
  void recoveryPointsEndWhereTheLogsEnd() throws IOException {
    Path points = fixture.logDir().resolve(POINTS);
    Files.setPosixFilePermissions(points, PosixFilePermissions.fromString("rw-r-----"));
    done();
    assertThat(fixture.checkpoint(POINTS))
        .containsExactly("0", "3", "orders 0 100", "orders 1 50", "other 0 7");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(points)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void aDamagedCheckpointIsLeftToKafka() throws IOException {
    Path points = fixture.logDir().resolve(POINTS);
    Files.write(points, new byte[] {'0', '\n', '7', '\n', (byte) 0xfc, '\n'});
    byte[] damaged = Files.readAllBytes(points);
    done();
    assertThat(points).hasBinaryContent(damaged);
  }

  @Test
  void theBrokerIsNotTakenForOneThatStoppedCleanly() throws IOException {
    done();
    assertThat(fixture.logDir().resolve(".kafka_cleanshutdown")).doesNotExist();
  }

  /** Without its directory a log would begin at 0, below a checkpointed start that Kafka keeps. */
  @Test
  void aLogWithoutItsFirstSegmentKeepsNoneAndItsDirectoryStays() throws IOException {
    Files.delete(fixture.segment("orders-0", 0));
    Files.delete(fixture.segment("orders-0", 50));
    JsonNode json = done();
    assertThat(json.at("/partitions/0/end_offset").asLong()).isEqualTo(100);
    assertThat(json.get("set_aside")).hasSize(2);
    assertThat(fixture.names("orders-0"))
        .contains("partition.metadata")
        .noneMatch(name -> name.matches("\\d+\\.log"));
  }

  @Test
  void aCompactionsOutputIsCutAtItsOffset() throws IOException {
    Path swap = fixture.logDir().resolve("orders-0/00000000000000000150.log.swap");
    Files.move(fixture.segment("orders-0", 150), swap);
    done();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000050.log")
        .doesNotContain("00000000000000000150.log.swap")
        .anyMatch(name -> name.endsWith(".00000000000000000150.log.swap"));
  }

  @Test
  void aSegmentBelowTheCutInATierThatIsAwayKeepsItsName() throws IOException {
    fixture.lose("nvme");
    fixture.lose("pmem");
    assertThat(recover("nvme", "--accept-loss").exitCode()).isZero();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000100.log", "00000000000000000150.log")
        .doesNotContain("00000000000000000200.log", "00000000000000000250.log");
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.out()).contains("lost segment").contains("mount tier pmem");

    fixture.find("pmem");
    Run found = Run.of("verify", fixture.logDir().toString());
    assertThat(found.exitCode()).as(found.out()).isZero();
  }

  @Test
  void oneOfTwoLostTiersAfterTheOtherLeavesNoHole() throws IOException {
    fixture.lose("nvme");
    fixture.lose("pmem");
    assertThat(recover("nvme", "--accept-loss").exitCode()).isZero();
    accepted("pmem");
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000050.log")
        .doesNotContain("00000000000000000100.log", "00000000000000000150.log");
    assertThat(fixture.checkpoint(POINTS)).contains("orders 0 100");
  }

  @Test
  void aPartitionBehindALinkToAnotherDiskIsCut() throws IOException {
    fixture.linkedDirectory("orders-0");
    done();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000050.log")
        .doesNotContain("00000000000000000100.log", "00000000000000000150.log")
        .anyMatch(name -> name.endsWith(".00000000000000000150.log"));
  }

  /** Its links may lead to the tier, and nobody sees them. */
  @Test
  void aPartitionWhoseDiskIsNotMountedIsWaitedFor() throws IOException {
    Path link = fixture.linkedDirectory("orders-0");
    Path disk = Files.readSymbolicLink(link).getParent();
    Path unmounted = Files.move(disk, root.resolve("not mounted"));
    fixture.lose();
    Map<String, String> before = LogDirFixture.contents(fixture.logDir());
    refused(recover("pmem", "--accept-loss"), link + " leads nowhere", "mount the disk");
    assertThat(LogDirFixture.contents(fixture.logDir())).isEqualTo(before);
    Files.move(unmounted, disk);
    accepted("pmem");
  }

  @Test
  void theMetadataLogIsNeverCut() throws IOException {
    fixture.metadata();
    fixture.lose();
    Map<String, String> before = LogDirFixture.contents(root);
    refused(
        recover("pmem", "--accept-loss"),
        "__cluster_metadata-0",
        "00000000000000000050.log on",
        "never cut");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aReplacedTierDirectoryCountsAsLost() throws IOException {
    fixture.lose();
    Files.createDirectory(root.resolve("tier pmem"));
    assertThat(accepted("pmem").get("lost_directories")).hasSize(1);
  }

  @Test
  void aTierThatLostASingleFileStaysAndOnlyThatLogIsCut() throws IOException {
    Files.delete(Files.readSymbolicLink(fixture.segment("orders-0", 250)));
    JsonNode json = accepted("pmem");
    assertThat(json.at("/partitions/0/end_offset").asLong()).isEqualTo(250);
    assertThat(json.get("lost_directories")).isEmpty();
    assertThat(fixture.names("orders-0")).contains("00000000000000000200.log");
    assertThat(Files.readString(fixture.logDir().resolve(".headpond"))).contains("tier.pmem");
  }

  @Test
  void aTierThatIsThereIsNotGivenUp() throws IOException {
    Map<String, String> before = LogDirFixture.contents(root);
    refused(recover("pmem", "--accept-loss"), "no segment in it is lost", "headpond drain");
    refused(recover("fast", "--accept-loss"), "no log directory knows a tier fast", "pmem");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  /** As one whose device fails: some of its segments may be saved. */
  @Test
  void aTierThatCannotBeReadIsNotLost() throws IOException {
    fixture.lose();
    Path tier = root.resolve("tier pmem");
    Files.createSymbolicLink(tier, tier);
    Map<String, String> before = LogDirFixture.contents(root);
    refused(
        recover("pmem", "--accept-loss"),
        "tier pmem can't be read",
        "headpond drain LOGDIR --tier pmem",
        "unmount its device and mount it again",
        "nothing was changed");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aSegmentThatTheEngineWasDeletingIsNoLoss() throws IOException {
    Path link = fixture.tierSegment("orders-1", 50);
    Path deleted = Files.move(link, link.resolveSibling(link.getFileName() + ".deleted"));
    fixture.tierSegment("gone-0.0123456789abcdef-delete", 0);
    JsonNode json = done();
    assertThat(json.get("partitions")).hasSize(1);
    assertThat(Files.isSymbolicLink(deleted)).isFalse();
  }

  @Test
  void aLiveBrokerIsNamedByItsProcess() throws Exception {
    fixture.lose();
    try (LockHolder broker = new LockHolder(fixture.logDir().resolve(".lock"))) {
      refused(recover("pmem", "--accept-loss"), "process " + broker.pid());
    }
    assertThat(Files.isSymbolicLink(fixture.segment("orders-0", 100))).isTrue();
  }
}
