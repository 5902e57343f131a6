// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cut of logs that have lost a segment with their tier {@code pmem}. */
class KeepPrefixTest {
  @TempDir Path root;
  private CutFixture fixture;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new CutFixture(root);
  }

  private Run cut(String... more) throws IOException {
    fixture.lose();
    return forget(more);
  }

  private Run forget(String... more) {
    return forgetTier("pmem", more);
  }

  private Run forgetTier(String tier, String... more) {
    List<String> fixed = List.of("forget-tier", fixture.logDir().toString(), tier);
    return Run.of(
        Stream.concat(Stream.concat(fixed.stream(), Stream.of("--keep-prefix")), Stream.of(more))
            .toArray(String[]::new));
  }

  private JsonNode done() throws IOException {
    Run run = cut("--accept-loss", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).as(verify.out()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void withoutTheFlagItOnlySaysWhereEachLogIsCut() throws IOException {
    fixture.lose();
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = forget();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("1 partition would be cut here")
        .contains("orders-0: 2 segments lost, 2 segments (")
        .contains(") stay, 2 (")
        .contains(") set aside, it ends before offset 100")
        .contains("offsets up to 289 are known to have been there")
        .contains("other replicas unknown")
        .contains("--if-in-sync or --accept-loss");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void whatLiesBelowTheFirstLostSegmentStays() throws IOException {
    JsonNode json = done();
    assertThat(fixture.names("orders-0"))
        .containsExactlyInAnyOrder(
            "00000000000000000000.log",
            "00000000000000000000.index",
            "00000000000000000000.timeindex",
            "00000000000000000050.log",
            "00000000000000000050.index",
            "00000000000000000050.timeindex",
            "00000000000000000050.snapshot",
            "00000000000000000100.snapshot",
            "leader-epoch-checkpoint",
            "partition.metadata");
    JsonNode partition = json.at("/partitions/0");
    assertThat(partition.get("from_offset").asLong()).isEqualTo(100);
    assertThat(partition.get("known_to_offset").asLong()).isEqualTo(289);
    assertThat(partition.get("kept_segments").asInt()).isEqualTo(2);
    assertThat(partition.get("kept_segments_removed").asInt()).isZero();
    assertThat(fixture.names("orders-1")).contains("00000000000000000000.log");
    assertThat(Files.readString(fixture.logDir().resolve(".headpond")))
        .contains("tier.nvme")
        .doesNotContain("tier.pmem");
  }

  @Test
  void segmentsAboveTheCutAreSetAsideWithTheirIndexes() throws IOException {
    byte[] atHome = Files.readAllBytes(fixture.segment("orders-0", 150));
    byte[] inNvme = Files.readAllBytes(fixture.segment("orders-0", 200));
    JsonNode json = done();
    List<String> aside =
        fixture.files(fixture.logDir()).filter(name -> name.startsWith("headpond-aside.")).toList();
    assertThat(aside)
        .hasSize(7)
        .anyMatch(name -> name.endsWith(".orders-0.00000000000000000150.log"))
        .anyMatch(name -> name.endsWith(".orders-0.00000000000000000150.snapshot"))
        .anyMatch(name -> name.endsWith(".orders-0.00000000000000000200.index"));
    for (JsonNode file : json.get("set_aside")) {
      if (file.asText().endsWith("150.log")) {
        assertThat(Path.of(file.asText())).hasBinaryContent(atHome);
      }
    }
    Path quarantine = root.resolve("tier nvme/quarantine").resolve(fixture.home().toString());
    List<String> quarantined = fixture.files(quarantine).toList();
    assertThat(quarantined).hasSize(1);
    assertThat(quarantine.resolve(quarantined.get(0))).hasBinaryContent(inNvme);
    assertThat(Run.of("verify", fixture.logDir().toString()).out()).contains("set aside");
  }

  @Test
  void checkpointsEndWhereTheLogEnds() throws IOException {
    done();
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint"))
        .containsExactly("0", "3", "orders 0 100", "orders 1 50", "other 0 7");
    assertThat(fixture.checkpoint("replication-offset-checkpoint"))
        .containsExactly("0", "2", "orders 0 100", "orders 1 50");
    assertThat(fixture.checkpoint("cleaner-offset-checkpoint"))
        .containsExactly("0", "1", "orders 0 60");
    assertThat(fixture.checkpoint("log-start-offset-checkpoint"))
        .containsExactly("0", "1", "orders 0 20");
    assertThat(fixture.logDir().resolve(".kafka_cleanshutdown")).doesNotExist();
  }

  @Test
  void aCheckpointKeepsItsMode() throws IOException {
    Path file = fixture.logDir().resolve("recovery-point-offset-checkpoint");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    done();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void epochsThatBeginAtOrAboveTheEndGo() throws IOException {
    done();
    assertThat(Files.readAllLines(fixture.logDir().resolve("orders-0/leader-epoch-checkpoint")))
        .containsExactly("0", "2", "0 0", "3 70");
  }

  @Test
  void aCompactedLogEndsWithItsLastRecordBelowTheCut() throws IOException {
    Files.write(fixture.segment("orders-0", 50), batches(50, 2));
    JsonNode json = done();
    assertThat(json.at("/partitions/0/from_offset").asLong()).isEqualTo(70);
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint")).contains("orders 0 70");
    assertThat(Files.readAllLines(fixture.logDir().resolve("orders-0/leader-epoch-checkpoint")))
        .containsExactly("0", "1", "0 0");
  }

  @Test
  void aLogWithoutItsFirstSegmentBeginsAnew() throws IOException {
    Files.delete(fixture.segment("orders-0", 0));
    Files.delete(fixture.segment("orders-0", 50));
    JsonNode json = done();
    assertThat(fixture.logDir().resolve("orders-0")).doesNotExist();
    assertThat(json.at("/partitions/0/kept_segments").asInt()).isZero();
    assertThat(json.at("/partitions/0/from_offset").asLong()).isEqualTo(100);
    assertThat(json.get("set_aside")).hasSize(8);
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint"))
        .containsExactly("0", "2", "orders 1 50", "other 0 7");
    assertThat(fixture.checkpoint("log-start-offset-checkpoint")).containsExactly("0", "0");
  }

  @Test
  void aLogWhoseStartLiesAboveTheCutBeginsAnew() throws IOException {
    fixture.checkpoint("log-start-offset-checkpoint", "orders 0 120");
    done();
    assertThat(fixture.logDir().resolve("orders-0")).doesNotExist();
    assertThat(fixture.files(fixture.logDir())).anyMatch(name -> name.endsWith("050.log"));
  }

  @Test
  void aLogInTheMiddleOfACompactionBeginsAnew() throws IOException {
    Path swap = fixture.logDir().resolve("orders-0/00000000000000000000.log.swap");
    Files.write(swap, batches(0, 5));
    done();
    assertThat(fixture.logDir().resolve("orders-0")).doesNotExist();
    assertThat(fixture.files(fixture.logDir()))
        .anyMatch(name -> name.endsWith("000.log"))
        .anyMatch(name -> name.endsWith("000.log.swap"));
  }

  @Test
  void aStrayDirectoryLeavesTheLogOfItsNameAlone() throws IOException {
    Files.move(
        fixture.logDir().resolve("orders-0"),
        fixture.logDir().resolve("orders-0.0123456789abcdef0123456789abcdef-stray"));
    done();
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint")).contains("orders 0 310");
  }

  @Test
  void aSegmentBelowTheCutInATierThatIsAwayKeepsItsName() throws IOException {
    fixture.lose("pmem");
    Run run = forgetTier("nvme", "--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1); // it is there

    fixture.find("pmem");
    fixture.lose("nvme");
    fixture.lose("pmem");
    assertThat(forgetTier("nvme", "--accept-loss").exitCode()).isZero();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000100.log")
        .contains("00000000000000000150.log")
        .doesNotContain("00000000000000000200.log", "00000000000000000250.log");
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint")).contains("orders 0 200");
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.out()).contains("lost segment").contains("mount tier pmem");

    fixture.find("pmem");
    Run found = Run.of("verify", fixture.logDir().toString());
    assertThat(found.exitCode()).as(found.out()).isZero();
  }

  @Test
  void aPartitionBehindALinkToAnotherDiskIsCut() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(memory) && !isStoreOf(memory), "one file system here");
    Path disk = Files.createTempDirectory(memory, "headpond-");
    try {
      Path partition = fixture.logDir().resolve("orders-0");
      Path moved = Files.createDirectory(disk.resolve("orders-0"));
      for (String name : fixture.names("orders-0")) {
        Files.move(partition.resolve(name), moved.resolve(name));
      }
      Files.delete(partition);
      Files.createSymbolicLink(partition, moved);
      done();
      assertThat(fixture.names("orders-0"))
          .contains("00000000000000000050.log")
          .doesNotContain("00000000000000000100.log", "00000000000000000150.log");
      assertThat(fixture.files(disk))
          .anyMatch(name -> name.endsWith(".orders-0.00000000000000000150.log"));
    } finally {
      try (Stream<Path> all = Files.walk(disk)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
  }

  private boolean isStoreOf(Path other) throws IOException {
    return Files.getFileStore(other).equals(Files.getFileStore(root));
  }

  @Test
  void oneOfTwoLostTiersAfterTheOtherLeavesNoHole() throws IOException {
    fixture.lose("nvme");
    fixture.lose("pmem");
    assertThat(forgetTier("nvme", "--accept-loss").exitCode()).isZero();
    assertThat(forgetTier("pmem", "--accept-loss").exitCode()).isZero();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000050.log")
        .doesNotContain("00000000000000000100.log", "00000000000000000150.log");
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint")).contains("orders 0 100");
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).as(verify.out()).isZero();
  }

  /** One in a tier that is there would be set aside. */
  @Test
  void aFileWithTwoNamesIsTakenFromNeither() throws IOException {
    fixture.lose();
    for (long base : new long[] {100, 200}) {
      Path name = fixture.segment("orders-0", base);
      Path copy = fixture.segment("orders-1", base);
      Files.createSymbolicLink(copy, Files.readSymbolicLink(name));
      Map<String, String> before = LogDirFixture.contents(root);
      Run run = forget("--accept-loss");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(name + " and " + copy + " link to the same file")
          .contains("nothing was changed");
      assertThat(LogDirFixture.contents(root)).isEqualTo(before);
      Files.delete(copy);
    }
    Run run = forget("--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  @Test
  void theMetadataLogIsNeverCut() throws IOException {
    fixture.metadata();
    fixture.lose();
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = forget("--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("__cluster_metadata-0")
        .contains("00000000000000000050.log on")
        .contains("never removed or cut");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aDamagedCheckpointIsNamedBeforeAnythingIsChanged() throws IOException {
    fixture.lose();
    for (String name :
        List.of("replication-offset-checkpoint", "orders-0/leader-epoch-checkpoint")) {
      Path file = fixture.logDir().resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (String damage : List.of("1\n0\n", "0\n7\norders 0 5\n", "0\n1\norders zero\n", "x")) {
        Files.writeString(file, damage);
        Map<String, String> before = LogDirFixture.contents(root);
        Run run = forget("--accept-loss");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(file.toString()).contains("is damaged");
        assertThat(LogDirFixture.contents(root)).isEqualTo(before);
      }
      Files.write(file, whole);
    }
  }

  @Test
  void ifInSyncNeedsSomebodyToAsk() throws IOException {
    assertThat(cut("--if-in-sync").exitCode()).isEqualTo(2);
  }

  @Test
  void aClusterThatDoesNotAnswerIsARefusalByName() throws IOException {
    fixture.lose();
    Files.writeString(fixture.logDir().resolve("meta.properties"), "node.id=1\nversion=1\n");
    Path settings =
        Files.writeString(
            root.resolve("client"), "default.api.timeout.ms=500\nrequest.timeout.ms=300\n");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run =
        forget(
            "--if-in-sync",
            "--bootstrap-server",
            "localhost:1",
            "--command-config",
            settings.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("localhost:1").contains("who else has orders (0)");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void anErrorOfTheDeviceIsNoEndOfTheLogBelowTheCut() throws IOException {
    Path unreadable = LogDirFixture.unreadable();
    Files.delete(fixture.segment("orders-0", 50));
    Files.createSymbolicLink(fixture.segment("orders-0", 50), unreadable);
    Run run = cut("--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("00000000000000000050.log");
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint")).contains("orders 0 310");
  }
}
