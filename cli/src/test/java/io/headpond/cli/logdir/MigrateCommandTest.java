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
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateCommandTest {
  @TempDir Path root;
  private LogDirFixture fixture;
  private String logDir;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    logDir = fixture.logDir.toString();
    fixture.tier("pmem");
    fixture.tier("nvme");
    fixture.tierSegment("nvme", "orders-0", 0, batches(0, 50));
    fixture.homeSegment("orders-0", 500, batches(500, 50));
    fixture.tierSegment("pmem", "orders-0", 1000, batches(1000, 50));
    fixture.homeSegment("orders-1", 0, batches(0, 50));
    fixture.homeSegment("payments-0", 0, batches(0, 50));
    fixture.stoppedCleanly();
  }

  private Map<String, Integer> data() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(fixture.logDir)) {
      for (Path path : walk.filter(p -> p.toString().endsWith(".log")).toList()) {
        found.put(path.toString(), java.util.Arrays.hashCode(Files.readAllBytes(path)));
      }
    }
    return found;
  }

  private List<String> files(String tier) throws IOException {
    try (Stream<Path> files = Files.list(fixture.segments(tier))) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("\\.[0-9a-f]{16}$", ""))
          .sorted()
          .toList();
    }
  }

  private Path name(String partition, long base) {
    return fixture.logDir.resolve(partition).resolve(String.format("%020d.log", base));
  }

  private static Run migrate(Object... args) {
    return Run.of(
        Stream.concat(Stream.of("migrate"), Stream.of(args).map(Object::toString))
            .toArray(String[]::new));
  }

  @Test
  void aTopicGoesToATierFromHomeAndFromAnotherTier() throws IOException {
    Map<String, Integer> before = data();
    Files.setLastModifiedTime(name("orders-1", 0), FileTime.fromMillis(1_600_000_000_000L));
    Run run = migrate("--json", logDir, "orders", "--to", "pmem");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("segments_moved").asInt()).isEqualTo(3);
    assertThat(json.get("segments_there_already").asInt()).isEqualTo(1);
    assertThat(json.get("bytes_moved").asLong())
        .isEqualTo(2L * batches(0, 50).length + batches(500, 50).length);
    assertThat(data()).isEqualTo(before);
    assertThat(files("nvme")).isEmpty();
    assertThat(files("pmem"))
        .containsExactly(
            "orders-0.00000000000000000000.log",
            "orders-0.00000000000000000500.log",
            "orders-0.00000000000000001000.log",
            "orders-1.00000000000000000000.log");
    assertThat(Files.isSymbolicLink(name("payments-0", 0))).isFalse();
    assertThat(Files.getLastModifiedTime(name("orders-1", 0)))
        .isEqualTo(FileTime.fromMillis(1_600_000_000_000L));
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
    assertThat(migrate(logDir, "orders", "--to", "pmem").out())
        .contains("0 segments")
        .contains("4 were there already");
  }

  @Test
  void onePartitionComesHomeAndTheTiersStay() throws IOException {
    Map<String, Integer> before = data();
    Run run = migrate(logDir, "orders-0", "--to", "home");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("2 segments").contains("headpond.home.only");
    assertThat(data()).isEqualTo(before);
    assertThat(files("pmem")).isEmpty();
    assertThat(files("nvme")).isEmpty();
    assertThat(fixture.logDir.resolve(".headpond")).exists();
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  @Test
  void aTierWithoutRoomIsRefusedBeforeAnythingMoves() throws IOException {
    Files.writeString(
        fixture.tierPath("pmem").resolve(".headpond.live"),
        "pid=1\nupdated.ms=1\ntier.pmem.capacity.bytes=" + 2 * batches(0, 50).length + "\n");
    Map<String, Integer> before = data();
    Run run = migrate(logDir, "orders", "--to", "pmem");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).contains("tier pmem has room for").contains("make room");
    assertThat(files("pmem")).hasSize(1);
    assertThat(data()).isEqualTo(before);
  }

  @Test
  void aHomeAtItsReserveIsRefused() throws IOException {
    Files.writeString(
        fixture.tierPath("pmem").resolve(".headpond.live"),
        "pid=1\nupdated.ms=1\nhome." + fixture.home + ".reserve.bytes=" + (Long.MAX_VALUE / 2));
    Run run = migrate(logDir, "orders", "--to", "home");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("has room for 0 B");
  }

  @Test
  void anUnknownTierOrTopicIsAnErrorThatNamesTheKnownOnes() {
    Run tier = migrate(logDir, "orders", "--to", "cxl");
    assertThat(tier.exitCode()).isEqualTo(1);
    assertThat(tier.err()).contains("no tier cxl").contains("nvme").contains("pmem");
    Run topic = migrate(logDir, "order", "--to", "pmem");
    assertThat(topic.exitCode()).isEqualTo(1);
    assertThat(topic.err()).contains("no topic or partition order").contains("payments");
  }

  @Test
  void aNameThatIsAPartitionAndATopicIsRefused() throws IOException {
    fixture.homeSegment("orders-1-0", 0, batches(0, 5));
    Run run = migrate(logDir, "orders-1", "--to", "pmem");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("and a topic as well").contains("orders-1-0");
    assertThat(migrate(logDir, "orders-1-0", "--to", "pmem").exitCode()).isZero();
  }

  @Test
  void aMissingTargetIsRefused() throws IOException {
    Files.move(fixture.tierPath("pmem"), root.resolve("elsewhere"));
    Run run = migrate(logDir, "payments", "--to", "pmem");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("mount it again");
  }

  @Test
  void theMetadataLogStaysHome() throws IOException {
    Path name = fixture.homeSegment("__cluster_metadata-0", 0, batches(0, 5));
    Run run = migrate(logDir, "__cluster_metadata", "--to", "pmem");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("headpond.home.only");
    assertThat(Files.isSymbolicLink(name)).isFalse();
    assertThat(migrate(logDir, "__cluster_metadata", "--to", "home").exitCode()).isZero();
  }

  @Test
  void whatIsBeingDeletedIsLeftAlone() throws IOException {
    Path deleted = name("orders-1", 7).resolveSibling("00000000000000000007.log.deleted");
    Files.write(deleted, new byte[10]);
    Files.createDirectory(fixture.logDir.resolve("orders-9.0123456789abcdef-delete"));
    assertThat(migrate(logDir, "orders", "--to", "pmem").exitCode()).isZero();
    assertThat(Files.isSymbolicLink(deleted)).isFalse();
  }

  @Test
  void anInterruptedMigrationLeavesNothingBehindAndGoesOnWhereItWas() throws Exception {
    for (int i = 0; i < 40; i++) {
      fixture.homeSegment("big-0", i * 100_000L, new byte[8 << 20]);
    }
    Map<String, Integer> before = data();
    Path output = root.resolve("output");
    Process process =
        Run.child("migrate", logDir, "big", "--to", "nvme")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    while (process.isAlive() && !Files.isSymbolicLink(name("big-0", 200_000))) {
      Thread.onSpinWait();
    }
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(output);
    assertThat(process.exitValue()).as(said).isNotZero();
    assertThat(said.lines().filter(line -> !line.isBlank()))
        .containsExactly(
            "headpond: interrupted; the directory is right as it is, run this again to go on");
    long links = files("nvme").stream().filter(file -> file.startsWith("big")).count();
    assertThat(links).as(said).isBetween(3L, 39L);
    assertThat(data()).isEqualTo(before);
    Run verify = Run.of("verify", "--json", logDir);
    assertThat(verify.out()).as("no copy is left in the tier").doesNotContain("orphan");
    Run again = migrate("--json", logDir, "big", "--to", "nvme");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(new ObjectMapper().readTree(again.out()).get("segments_moved").asLong())
        .isEqualTo(40 - links);
    assertThat(data()).isEqualTo(before);
    try (Stream<Path> walk = Files.walk(fixture.logDir)) {
      assertThat(walk.filter(path -> path.toString().endsWith(".move"))).isEmpty();
    }
  }

  private Path configuration() throws IOException {
    return Files.writeString(
        root.resolve("server.properties"),
        "log.dirs="
            + logDir
            + "\nheadpond.tiers=pmem\nheadpond.tier.pmem.paths="
            + fixture.tierPath("pmem")
            + "\n");
  }

  @Test
  void upBringsNothingToAnotherDeviceAtTheTiersPath() throws IOException {
    Path identity = fixture.tierPath("pmem").resolve(".headpond");
    String own = Files.readString(identity);
    Files.writeString(identity, own.replaceFirst("id=.*", "id=" + UUID.randomUUID()));
    Map<String, String> before = LogDirFixture.contents(root);
    Path configuration = configuration();
    Run run = migrate(logDir, "--up", "--config", configuration);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    assertThat(run.err()).contains(fixture.tierPath("pmem").toString(), "but its home expects");
    Files.delete(configuration);
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);

    Files.writeString(identity, own);
    Run right = migrate(logDir, "--up", "--config", configuration());
    assertThat(right.exitCode()).as(right.err()).isZero();
    assertThat(right.out()).contains("moved up");
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  @Test
  void aTierWithoutAFolderForTheLogDirectoryIsNamedWithTheReason() throws IOException {
    Files.move(fixture.segments("nvme"), root.resolve("elsewhere"));
    Run run = migrate(logDir, "payments", "--to", "nvme");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(fixture.segments("nvme").toString()).contains("it is not there");
  }
}
