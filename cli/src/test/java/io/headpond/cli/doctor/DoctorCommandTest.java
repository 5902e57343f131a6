// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  private static final Path MEMORY = Path.of("/dev/shm");

  @TempDir Path root;
  private Path tier;
  private Path logDir;

  @BeforeEach
  void makeDirectories() throws IOException {
    tier = Files.createDirectory(root.resolve("tier"));
    logDir = Files.createDirectory(root.resolve("log dir"));
  }

  private Run doctor(String... lines) throws IOException {
    Path config = Files.writeString(root.resolve("server.properties"), String.join("\n", lines));
    return Run.of("doctor", "--config", config.toString());
  }

  private String tierLines(String more) {
    return "headpond.tiers=fast\nheadpond.tier.fast.paths="
        + tier
        + "\nlog.dirs="
        + logDir
        + "\n"
        + more;
  }

  @Test
  void aMachineIsDescribedWithoutAnyArgument() {
    Run run = Run.of("doctor");
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out()).contains("Java").contains("0 things wrong");
  }

  @Test
  void aDirectoryIsDescribedAndLeftAsItWas() throws IOException {
    Run run = Run.of("doctor", "--json", tier.toString());
    assertThat(run.exitCode()).as(run.out()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    JsonNode directory = json.at("/directories/0");
    assertThat(directory.get("path").asText()).isEqualTo(tier.toString());
    assertThat(directory.get("file_system").asText()).isNotEmpty();
    assertThat(directory.get("durability").asText())
        .isIn("durable", "ephemeral", "unknown", "emulated", "volatile");
    assertThat(directory.get("persist_backend").asText()).isNotEmpty();
    assertThat(directory.get("capacity_bytes").asLong()).isPositive();
    assertThat(json.get("items")).isNotEmpty();
    try (var files = Files.list(tier)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aFileIsTakenForTheConfigurationThatItIs() throws IOException {
    Path broker = Files.writeString(root.resolve("server.properties"), "headpond.tiirs=fast\n");
    assertThat(Run.of("doctor", broker.toString()).out())
        .contains("HP0101", "the nearest one is headpond.tiers");
    Path bookie =
        Files.writeString(root.resolve("bk.conf"), "journalDirectories=" + root + "/journal\n");
    assertThat(Run.of("doctor", bookie.toString()).out()).contains(root + "/journal");
    Run two = Run.of("doctor", "--config", broker.toString(), broker.toString());
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.err()).contains("two files for --config");
  }

  @Test
  void eachProblemOfAConfigurationIsALineOfItsOwn() throws IOException {
    Run run = doctor("headpond.tiirs=fast", "headpond.migrate.threads=99", "log.dirs=" + logDir);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out().lines().filter(line -> line.contains("HP0101"))).hasSize(2);
  }

  @Test
  void aTierOnTheLogDirectorysOwnDiskIsAWarning() throws IOException {
    assertThat(doctor(tierLines("")).out().lines())
        .anyMatch(
            line ->
                line.startsWith("warning")
                    && line.contains("lies on the same file system as the log directory"));
  }

  @Test
  void morePartitionsThanActiveSegmentsFitAreWarnedOf() throws IOException {
    for (int i = 0; i < 60; i++) {
      Files.createDirectory(logDir.resolve("orders-" + i));
    }
    Files.createDirectory(logDir.resolve("__cluster_metadata-0"));
    String capacity = "headpond.tier.fast.capacity=100GiB\n";
    assertThat(doctor(tierLines(capacity)).out())
        .contains("60 partitions with segments of 1.00 GiB (segment.bytes)");
    assertThat(doctor(tierLines(capacity + "log.segment.bytes=134217728\n")).out())
        .doesNotContain("(segment.bytes)");
  }

  @Test
  void memoryIsCalledVolatile() {
    Assumptions.assumeTrue(Files.isDirectory(MEMORY), "no /dev/shm here");
    Run run = Run.of("doctor", MEMORY.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("VOLATILE").contains("for trying out only");
  }

  @Test
  void aMissingDirectoryIsWrongAndTheCommandIsGiven() {
    Run run = Run.of("doctor", root.resolve("nowhere").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("wrong").contains("mkdir -p '" + root.resolve("nowhere"));
  }

  @Test
  void aGoodConfigurationIsRead() throws IOException {
    Run run = doctor(tierLines("headpond.tier.fast.capacity=1MiB"));
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out()).contains("1 tier above home").contains("same file system");
  }

  @Test
  void anEphemeralTierThatIsNoMountPointIsNamed() throws IOException {
    Run run =
        doctor(tierLines("headpond.tier.fast.capacity=1MiB\nheadpond.tier.fast.ephemeral=true"));
    assertThat(run.out()).contains("declared ephemeral").contains("nothing is mounted there");
  }

  @Test
  void anUnknownKeyIsWrong() throws IOException {
    Run run = doctor(tierLines("headpond.tier.fast.capasity=1MiB"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("headpond.tier.fast.capasity").contains("no such key");
  }

  @Test
  void moreCapacityThanTheFileSystemHasIsAWarning() throws IOException {
    Run run = doctor(tierLines("headpond.tier.fast.capacity=100000TiB"));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("warning +HP0209 tier fast: .* by its capacity, but its file system has")
        .contains("Lower headpond.tier.fast.capacity, or remove it");
  }

  @Test
  void metadataThatMayLieInATierAreAWarning() throws IOException {
    assertThat(doctor(tierLines("headpond.home.only=__cluster_metadata,audit")).out())
        .doesNotContain("headpond.home.only");
    assertThat(doctor(tierLines("headpond.home.only=audit")).out())
        .containsPattern("warning .*headpond.home.only doesn't name __cluster_metadata")
        .contains("set headpond.home.only=__cluster_metadata,audit");
  }

  /** Kafka would write to another directory, of which Headpond knows nothing. */
  @Test
  void aLogDirectoryThatKafkaReadsOtherwiseIsAWarning() throws IOException {
    Run run = doctor("log.dirs=" + root + "/gr\u00f6\u00dfe");
    assertThat(run.out()).contains("log.dirs has letters beyond ASCII", "ISO-8859-1");
    assertThat(doctor("log.dirs=" + root + "/gr\\u00f6\\u00dfe").out()).doesNotContain("ISO-8859");
  }

  @Test
  void preallocationIsAWarning() throws IOException {
    Run run = doctor(tierLines("log.preallocate=true"));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("warning").contains("log.preallocate");
  }

  @Test
  void theEffectiveThresholdAndPolicyAreSaid() throws IOException {
    Run run = doctor(tierLines("headpond.tier.fast.capacity=1MiB"));
    assertThat(run.out())
        .contains("migration steers it to 50 % used")
        .contains("migration: policy freshness, 2 threads, no limit but what appends need")
        .contains("home's reserve 5%");
    Run other =
        doctor(
            tierLines(
                "headpond.tier.fast.capacity=1MiB\nheadpond.tier.fast.migrate.threshold=0.95\n"
                    + "headpond.migrate.policy=heat\nheadpond.migrate.threads=1\n"
                    + "headpond.migrate.bytes.per.second=200MiB\nheadpond.home.reserve=20GiB"));
    assertThat(other.exitCode()).as(other.out()).isZero();
    assertThat(other.out())
        .contains("migration steers it to 95 % used")
        .contains("less than 10 % of it are kept free")
        .contains("policy heat, 1 thread, at most 200.0 MiB/s")
        .contains("home's reserve 20.0 GiB");
  }

  @Test
  void aSmallTierThatNothingMakesRoomInIsAWarning() throws IOException {
    String never = "headpond.tier.fast.migrate.threshold=-1\nheadpond.tier.fast.capacity=";
    assertThat(doctor(tierLines(never + "1MiB")).out())
        .containsPattern("warning +tier fast: its capacity is only 1.00 MiB")
        .contains("nothing makes room in it but retention");
    assertThat(doctor(tierLines(never + "16GiB")).out())
        .containsPattern("advice +tier fast: .*migrate.threshold=-1");
  }

  @Test
  void noReserveAtHomeIsAWarning() throws IOException {
    for (String none : List.of("0%", "0B", "0")) {
      assertThat(doctor(tierLines("headpond.home.reserve=" + none)).out())
          .as(none)
          .containsPattern("warning .*headpond.home.reserve=0");
    }
    assertThat(doctor(tierLines("")).out()).doesNotContain("reserve=0");
  }

  @Test
  void aBackEndThatCanNotWorkThereIsWrong() throws IOException {
    Run run = doctor(tierLines("headpond.persist=jep352"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("jep352");
  }

  @Test
  void anAppendPromiseOnAVolatileTierIsAWarning() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(MEMORY), "no /dev/shm here");
    Path inMemory = Files.createTempDirectory(MEMORY, "headpond-doctor-test");
    try {
      Run run =
          doctor(
              "headpond.tiers=fast",
              "headpond.tier.fast.paths=" + inMemory,
              "headpond.durability=append",
              "log.dirs=" + logDir);
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("can't be kept by a volatile tier");
    } finally {
      Files.delete(inMemory);
    }
  }

  @Test
  void aLogDirectoryIsNotDescribedAsATier() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(MEMORY), "no /dev/shm here");
    Path home = Files.createTempDirectory(MEMORY, "headpond-doctor-test");
    try {
      Run run =
          doctor("headpond.tiers=fast", "headpond.tier.fast.paths=" + tier, "log.dirs=" + home);
      assertThat(run.out())
          .contains(tier + ": made durable by")
          .doesNotContain(home + ": persist back end")
          .containsPattern("warning +" + home + ": VOLATILE.*every segment in this log directory");
    } finally {
      Files.delete(home);
    }
  }

  @Test
  void anotherMachinesFilesAreReadToo() throws IOException {
    write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu clflush sse2\n");
    write("proc/sys/vm/max_map_count", "1048576\n");
    write(
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max open files            1024                 524288               files\n");
    Files.createDirectories(root.resolve("sys/block/pmem0"));
    Files.createDirectories(root.resolve("sys/devices/system/node/node0"));
    Files.createDirectories(root.resolve("sys/devices/system/node/node1"));
    Diagnosis diagnosis = new Diagnosis();
    new Machine(root).diagnose(true, diagnosis);
    List<String> lines = new ArrayList<>();
    diagnosis.items().forEach(item -> lines.add(item.level().key() + " " + item.finding()));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("advice has only clflush"))
        .anyMatch(line -> line.startsWith("ok pmem0"))
        .anyMatch(line -> line.startsWith("ok 2 nodes"))
        .anyMatch(line -> line.startsWith("ok 1,048,576 mappings"))
        .anyMatch(line -> line.startsWith("advice this shell's limit is 1,024 files"));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
