// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgetTierCommandTest {
  @TempDir Path root;
  private LogDirFixture fixture;
  private String logDir;
  private Path inNvme;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    logDir = fixture.logDir.toString();
    fixture.tier("pmem");
    fixture.tier("nvme");
    // orders-0 has a part in the tier that is lost, orders-1 and orders-2 have none.
    fixture.homeSegment("orders-0", 0, batches(0, 5));
    fixture.tierSegment("pmem", "orders-0", 50, batches(50, 5));
    inNvme = fixture.tierSegment("nvme", "orders-0", 100, batches(100, 5));
    fixture.homeSegment("orders-1", 0, batches(0, 5));
    fixture.tierSegment("nvme", "orders-2", 0, batches(0, 5));
    fixture.homeSegment("__cluster_metadata-0", 0, batches(0, 5));
    fixture.stoppedCleanly();
  }

  private void lose(String tier) throws IOException {
    Files.move(fixture.tierPath(tier), root.resolve("lost " + tier));
  }

  @Test
  void withoutTheFlagItOnlySaysWhatIsLost() throws IOException {
    lose("pmem");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("forget-tier", logDir, "pmem");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("1 partition would be removed here")
        .contains("orders-0: 1 segment lost, 2 others")
        .contains("other replicas unknown")
        .contains("--accept-loss")
        .doesNotContain("orders-1")
        .doesNotContain("orders-2");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  /** As one whose device fails: some of its segments may be saved. */
  @Test
  void aTierThatCannotBeReadIsNotGone() throws IOException {
    lose("pmem");
    Files.createSymbolicLink(fixture.tierPath("pmem"), fixture.tierPath("pmem")); // to itself
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("tier pmem can't be read")
        .contains("headpond drain '" + logDir + "' --tier pmem")
        .contains("unmount its device and mount it again")
        .contains("nothing was changed");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aTopicHasOneLineAndEachPartitionIfAskedFor() throws IOException {
    for (int partition : new int[] {3, 4, 7}) {
      fixture.homeSegment("orders-" + partition, 0, batches(0, 5));
      fixture.tierSegment("pmem", "orders-" + partition, 50, batches(50, 5));
    }
    fixture.tierSegment("pmem", "payments-1", 0, batches(0, 5));
    lose("pmem");
    Run topics = Run.of("forget-tier", logDir, "pmem", "--keep-prefix");
    assertThat(topics.out())
        .contains("5 partitions would be cut here")
        .contains("  orders (0, 3-4, 7): 4 segments lost, 4 segments (")
        .contains("  payments-1: 1 segment lost, nothing stays")
        .contains("with --verbose")
        .doesNotContain("orders-3");
    Run partitions = Run.of("forget-tier", logDir, "pmem", "--keep-prefix", "--verbose");
    assertThat(partitions.out())
        .contains("  orders-3: 1 segment lost, 1 segment (", "it ends before offset 50")
        .doesNotContain("orders (", "with --verbose");
  }

  @Test
  void wholePartitionsAreRemovedAndTheRestIsClean() throws IOException {
    lose("pmem");
    Path fileInNvme = Files.readSymbolicLink(inNvme);
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("done").asBoolean()).isTrue();
    JsonNode partition = json.at("/partitions/0");
    assertThat(partition.get("topic").asText()).isEqualTo("orders");
    assertThat(partition.get("lost_segments").get(0).asText())
        .isEqualTo("00000000000000000050.log");
    assertThat(partition.get("kept_segments_removed").asInt()).isEqualTo(2);
    assertThat(json.get("partitions")).hasSize(1);

    assertThat(fixture.logDir.resolve("orders-0")).doesNotExist();
    assertThat(fileInNvme).doesNotExist();
    assertThat(fixture.logDir.resolve("orders-1")).exists();
    assertThat(fixture.logDir.resolve("orders-2")).exists();
    assertThat(Files.readString(fixture.logDir.resolve(".headpond")))
        .contains("tier.nvme")
        .doesNotContain("tier.pmem");
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  @Test
  void aPartitionOfAVeryLongTopicIsRemoved() throws IOException {
    String partition = "t".repeat(249) + "-12";
    Path directory = Files.createDirectory(fixture.logDir.resolve(partition));
    Files.createSymbolicLink(
        directory.resolve("00000000000000000000.log"),
        fixture.segments("pmem").resolve("t.00000000000000000000.log.0000000000000001"));
    lose("pmem");
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(directory).doesNotExist();
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  /** Kafka deletes the segments of a log that ends below its checkpointed start. */
  @Test
  void aPartitionThatBeginsAnewHasNoOldOffsets() throws IOException {
    Path starts = fixture.logDir.resolve("log-start-offset-checkpoint");
    Path points = fixture.logDir.resolve("recovery-point-offset-checkpoint");
    Path marks = fixture.logDir.resolve("replication-offset-checkpoint");
    Files.writeString(starts, "0\n2\norders 0 70\norders 1 20\n");
    Files.writeString(points, "0\n2\norders 0 150\norders 1 50\n");
    Files.writeString(marks, "0\n3\n");
    lose("pmem");
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readAllLines(starts)).containsExactly("0", "1", "orders 1 20");
    assertThat(Files.readAllLines(points)).containsExactly("0", "1", "orders 1 50");
    assertThat(marks).hasContent("0\n3\n"); // damaged: Kafka passes over it
  }

  @Test
  void theBrokerIsNotTakenForOneThatStoppedCleanly() throws IOException {
    lose("pmem");
    assertThat(Run.of("forget-tier", logDir, "pmem", "--accept-loss").exitCode()).isZero();
    assertThat(fixture.logDir.resolve(".kafka_cleanshutdown")).doesNotExist();
  }

  @Test
  void nothingIsPromisedThatNoOtherBrokerIsKnownToHave() throws IOException {
    lose("pmem");
    assertThat(Run.of("forget-tier", logDir, "pmem", "--accept-loss").out())
        .contains("of 1 of them nobody is known to have everything");
  }

  @Test
  void aReplacedTierDirectoryCountsAsLost() throws IOException {
    lose("pmem");
    Files.createDirectory(fixture.tierPath("pmem"));
    assertThat(Run.of("forget-tier", logDir, "pmem", "--accept-loss").exitCode()).isZero();
    assertThat(fixture.logDir.resolve("orders-0")).doesNotExist();
  }

  @Test
  void aTierThatIsThereIsNotForgotten() throws IOException {
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("no segment in it is lost").contains("headpond drain");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aTierThatLostSingleFilesStaysAndOnlyTheirPartitionsGo() throws IOException {
    Files.delete(Files.readSymbolicLink(inNvme));
    assertThat(Run.of("forget-tier", logDir, "nvme", "--accept-loss").exitCode()).isZero();
    assertThat(fixture.logDir.resolve("orders-0")).doesNotExist();
    assertThat(fixture.logDir.resolve("orders-2")).exists();
    assertThat(Files.readString(fixture.logDir.resolve(".headpond"))).contains("tier.nvme");
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  @Test
  void theMetadataLogIsNeverRemoved() throws IOException {
    fixture.tierSegment("pmem", "__cluster_metadata-0", 50, batches(50, 1));
    lose("pmem");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("__cluster_metadata-0").contains("never removed");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aFileThatAnotherPartitionNamesTooIsNotDeleted() throws IOException {
    Path link = fixture.logDir.resolve("orders-2").resolve(inNvme.getFileName());
    Files.createSymbolicLink(link, Files.readSymbolicLink(inNvme));
    lose("pmem");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(inNvme + " and " + link + " link to the same file");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aFileOutsideTheTiersIsNotDeleted() throws IOException {
    Path elsewhere = Files.write(root.resolve("elsewhere"), batches(150, 5));
    Path link = inNvme.resolveSibling("00000000000000000150.log");
    Files.createSymbolicLink(link, elsewhere);
    lose("pmem");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(link + " links to " + elsewhere);
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void whatTheEngineWasDeletingIsNoLoss() throws IOException {
    Path link = fixture.tierSegment("pmem", "orders-1", 50, batches(50, 1));
    Path deleted = Files.move(link, link.resolveSibling(link.getFileName() + ".deleted"));
    fixture.tierSegment("pmem", "gone-0.0123456789abcdef-delete", 0, batches(0, 1));
    lose("pmem");
    Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("1 partition will be removed").doesNotContain("orders-1");
    assertThat(fixture.logDir.resolve("orders-1")).exists();
    assertThat(Files.isSymbolicLink(deleted)).isFalse();
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  @Test
  void aLiveBrokerIsNamedByItsProcess() throws Exception {
    lose("pmem");
    try (LockHolder broker = new LockHolder(fixture.logDir.resolve(".lock"))) {
      Run run = Run.of("forget-tier", logDir, "pmem", "--accept-loss");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("process " + broker.pid());
    }
    assertThat(fixture.logDir.resolve("orders-0")).exists();
  }

  @Test
  void aClusterThatDoesNotAnswerStopsEverything() throws IOException {
    lose("pmem");
    Files.writeString(fixture.logDir.resolve("meta.properties"), "node.id=1\nversion=1\n");
    Path settings =
        Files.writeString(
            root.resolve("client"), "default.api.timeout.ms=500\nrequest.timeout.ms=300\n");
    Run run =
        Run.of(
            "forget-tier",
            logDir,
            "pmem",
            "--accept-loss",
            "--bootstrap-server",
            "localhost:1",
            "--command-config",
            settings.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("localhost:1").contains("nothing was changed");
    assertThat(fixture.logDir.resolve("orders-0")).exists();
  }

  /** Once the tier is forgotten nobody could give its segments up there. */
  @Test
  void aPartitionWhoseDiskIsNotMountedIsWaitedFor() throws IOException {
    Path link = fixture.linkedDirectory("orders-0");
    Path disk = Files.readSymbolicLink(link).getParent();
    Path unmounted = Files.move(disk, root.resolve("not mounted"));
    lose("pmem");
    Map<String, String> before = LogDirFixture.contents(fixture.logDir);
    for (String way : List.of("--accept-loss", "--keep-prefix")) {
      Run run = Run.of("forget-tier", logDir, "pmem", way);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(link + " leads nowhere", "mount the disk", "nothing was changed");
    }
    assertThat(LogDirFixture.contents(fixture.logDir)).isEqualTo(before);
    Files.move(unmounted, disk);
    assertThat(Run.of("forget-tier", logDir, "pmem", "--accept-loss").exitCode()).isZero();
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }
}
