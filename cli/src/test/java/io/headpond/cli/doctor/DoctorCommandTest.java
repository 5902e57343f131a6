// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void javaIsDescribedWithoutAnyArgument() {
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
          .contains(tier + ": persist back end")
          .doesNotContain(home + ": persist back end")
          .containsPattern("warning +" + home + ": VOLATILE.*every segment in this log directory");
    } finally {
      Files.delete(home);
    }
  }
}
