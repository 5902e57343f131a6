// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import io.headpond.store.TieredStore;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that a real store has written, and what its migration then really does. */
class StatusPartitionTest {
  private static final int MIB = ExplainFixture.MIB;

  @TempDir Path root;
  private Path logDir;
  private Path tier;
  private Path config;
  private Properties properties;
  private List<String> partitions;
  private ExplainFixture fixture;

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new ExplainFixture(root);
    logDir = fixture.logDir;
    tier = fixture.tier;
    config = fixture.config;
    properties = fixture.properties;
    partitions = fixture.partitions;
  }

  private void set(String key, String value) throws IOException {
    fixture.set(key, value);
  }

  private void log(String partition, int sealed, Duration oldest, Duration step) throws Exception {
    fixture.log(partition, sealed, oldest, step);
  }

  private static Path name(Path partition, int number) {
    return ExplainFixture.name(partition, number);
  }

  private JsonNode explain(String partition) throws IOException {
    Run run =
        Run.of(
            "status",
            logDir.toString(),
            "--partition",
            partition,
            "--config",
            config.toString(),
            "--json");
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return new ObjectMapper().readTree(run.out()).get("partition");
  }

  /** Next and reason of each segment, by partition and number. */
  private Map<String, String> said() throws IOException {
    Map<String, String> said = new LinkedHashMap<>();
    for (String partition : partitions) {
      int number = 0;
      for (JsonNode segment : explain(partition).get("segments")) {
        String where = segment.get("tier").asText();
        said.put(
            partition + "/" + number++,
            where + " " + segment.get("next").asText() + " " + segment.get("reason").asText());
      }
    }
    return said;
  }

  /** Lets a store migrate until nothing is left to move, and compares. */
  private void migrationDoesIt() throws Exception {
    Map<String, String> before = said();
    long moves = before.values().stream().filter(words -> !words.contains(" stays ")).count();
    try (TieredStore store = fixture.store()) {
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (moved(store.facts()) < moves) {
        assertThat(System.nanoTime()).as("moved in time").isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
    }
    Map<String, String> after = said();
    for (Map.Entry<String, String> segment : before.entrySet()) {
      String[] words = segment.getValue().split(" ");
      String expected =
          switch (words[1]) {
            case "up" -> "fast";
            case "down" -> "home";
            default -> words[0];
          };
      assertThat(after.get(segment.getKey()))
          .as(segment + " of " + before)
          .startsWith(expected + " stays ");
    }
  }

  private static long moved(StoreFacts facts) {
    return facts.count(Count.DOWN_SEGMENTS) + facts.count(Count.UP_SEGMENTS);
  }

  @Test
  void aTierAboveItsThresholdIsLeftByItsColdestSegments() throws Exception {
    log("cold-0", 6, Duration.ofHours(5), Duration.ofMinutes(1));
    log("warm-0", 6, Duration.ofHours(2), Duration.ofMinutes(1));
    set("migrate.threshold", "0.5");
    assertThat(said())
        .containsEntry("cold-0/0", "fast down above_threshold")
        .containsEntry("cold-0/3", "fast down above_threshold")
        .containsEntry("cold-0/4", "fast stays colder_ones_first")
        .containsEntry("cold-0/6", "fast stays active")
        .containsEntry("warm-0/0", "fast stays colder_ones_first");
    migrationDoesIt();
  }

  @Test
  void everySegmentLeavesADrainingTier() throws Exception {
    log("orders-0", 3, Duration.ofHours(5), Duration.ofMinutes(1));
    set("migrate.threshold", "0.9");
    set("tier.fast.draining", "true");
    assertThat(said())
        .containsEntry("orders-0/0", "fast down tier_draining")
        .containsEntry("orders-0/3", "fast down tier_draining");
    migrationDoesIt();
  }

  @Test
  void theHottestComeUpAsLongAsThereIsRoom() throws Exception {
    set("home.only", "*");
    log("cold-0", 6, Duration.ofHours(5), Duration.ofMinutes(1));
    log("warm-0", 6, Duration.ofHours(2), Duration.ofMinutes(1));
    properties.remove("headpond.home.only");
    set("migrate.threshold", "0.55");
    assertThat(said())
        .containsEntry("warm-0/5", "home up room_above")
        .containsEntry("cold-0/5", "home up room_above")
        .containsEntry("cold-0/3", "home stays hotter_ones_first")
        .containsEntry("warm-0/6", "home stays active");
    migrationDoesIt();
    assertThat(said()).containsEntry("cold-0/3", "home stays tier_full");
  }

  @Test
  void whatWasThereBeforeStaysAtHomeUntilItIsAskedUp() throws Exception {
    fixture.knowsWhenHeadpondCame = true;
    set("home.only", "*");
    log("old-0", 3, Duration.ofHours(5), Duration.ofMinutes(1));
    log("older-0", 3, Duration.ofHours(9), Duration.ofMinutes(1));
    properties.remove("headpond.home.only");
    set("migrate.threshold", "0.5");
    assertThat(said())
        .containsEntry("old-0/0", "home stays existing")
        .containsEntry("old-0/3", "home stays active");
    migrationDoesIt();
    Run run = Run.of("migrate", logDir.toString(), "old", "--up", "--config", config.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("3 segments (3.00 MiB) moved up in ");
    assertThat(said())
        .containsEntry("old-0/0", "fast stays below_threshold")
        .containsEntry("older-0/2", "home stays existing");
    run = Run.of("migrate", logDir.toString(), "--up", "--config", config.toString());
    assertThat(run.out()).contains("3 segments (3.00 MiB) moved up in ");
    migrationDoesIt();
  }

  @Test
  void whatLiesInQuarantineTakesNoRoomOfTheThreshold() throws Exception {
    log("orders-0", 6, Duration.ofHours(5), Duration.ofMinutes(1));
    String home = tier.resolve("segments").toFile().list()[0];
    Path quarantine = Files.createDirectories(tier.resolve("quarantine").resolve(home));
    Files.write(quarantine.resolve("orphan"), new byte[6 * MIB]);
    set("migrate.threshold", "0.5");
    assertThat(said()).containsEntry("orders-0/0", "fast stays below_threshold");
    migrationDoesIt();
  }

  @Test
  void itOnlyReadsAndShowsTheSameToPeople() throws Exception {
    log("orders-0", 2, Duration.ofHours(5), Duration.ofMinutes(1));
    set("migrate.threshold", "0.5");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run =
        Run.of(
            "status", logDir.toString(), "--partition", "orders-0", "--config", config.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("policy freshness of " + config)
        .contains("fast holds 13 %, threshold 50 %, takes up below 45 %")
        .contains(name(Path.of(""), 0) + "  1.00 MiB in fast, last append 5 h 00 m ago")
        .contains("stays: fast holds 13 %")
        .contains("stays: Kafka appends to it")
        .contains("not known: what the broker finds when it starts again");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void theConfigurationIsTheOneThatTheBrokerNamed() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    Run run = Run.of("status", logDir.toString(), "--partition", "orders-0");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("of " + config);
    Files.move(config, config.resolveSibling("elsewhere"));
    Run refused = Run.of("status", logDir.toString(), "--partition", "orders-0");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains(config.toString()).contains("--config FILE");
  }

  @Test
  void besideAnOwnerThatRunsItSaysWhatOnlyThatKnows() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    set("migrate.policy", "heat");
    try (LockHolder owner = new LockHolder(tier.resolve(".headpond.lock"))) {
      assertThat(owner.pid()).isPositive();
      List<String> notKnown = new ArrayList<>();
      explain("orders-0").get("not_known").forEach(line -> notKnown.add(line.asText()));
      assertThat(notKnown).hasSize(3);
      assertThat(notKnown.get(0)).contains("what was read").contains("heat");
      assertThat(notKnown.get(1)).contains("changed since the broker started");
    }
  }

  @Test
  void besideAnOwnerThatRunsTheWaitOfAMoveUpIsSaid() throws Exception {
    set("home.only", "*");
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    properties.remove("headpond.home.only");
    set("migrate.threshold", "0.5");
    Path live = tier.resolve(".headpond.live");
    long agoMs = System.currentTimeMillis() - Duration.ofMinutes(1).toMillis();
    Files.writeString(
        live, Files.readString(live).replaceAll("(tier.fast.last.descent.ms)=.*", "$1=" + agoMs));
    String words = "there is room for it: fast holds 0 %, threshold 50 %, takes up below 45 %";
    assertThat(explain("orders-0").at("/segments/0/explanation").asText()).isEqualTo(words);
    try (LockHolder owner = new LockHolder(tier.resolve(".headpond.lock"))) {
      assertThat(owner.pid()).isPositive();
      assertThat(explain("orders-0").at("/segments/0/explanation").asText())
          .startsWith(words + "; not within ")
          .containsPattern("within (4 m 00|3 m 5\\d) s, because others had to leave it$");
    }
  }

  @Test
  void aSegmentThatIsMissingIsSomethingWrong() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    Files.delete(Files.readSymbolicLink(name(logDir.resolve("orders-0"), 0)));
    Run run =
        Run.of(
            "status", logDir.toString(), "--partition", "orders-0", "--config", config.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("its link leads nowhere");
  }

  /** What the broker named lies in the tier: it isn't the operator who must give more. */
  @Test
  void aTierThatCannotBeReadIsNamedBeforeTheConfiguration() throws Exception {
    set("migrate.threshold", "-1");
    log("orders-0", 1, Duration.ofHours(1), Duration.ZERO);
    Path away = Files.move(tier, root.resolve("elsewhere"));
    assertThat(explainFailed()).contains("tier fast isn't there; mount it again", "--config FILE");
    Files.createSymbolicLink(tier, tier); // too many levels of links: as one whose device fails
    assertThat(explainFailed()).contains("tier fast can't be read: ", "dmesg", "--config FILE");
    assertThat(explainFailed("--config", config.toString())).contains(tier.toString());
    Files.delete(tier);
    Files.move(away, tier);
    assertThat(Run.of("status", logDir.toString(), "--partition", "orders-0").exitCode()).isZero();
  }

  private String explainFailed(String... more) {
    List<String> command =
        new ArrayList<>(List.of("status", logDir.toString(), "--partition", "orders-0"));
    command.addAll(List.of(more));
    Run run = Run.of(command.toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(1);
    return run.err();
  }

  @Test
  void whatIsNoPartitionOrNotItsConfigurationIsRefused() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    for (String none : List.of("orders-7", "../log dir", ".")) {
      Run run =
          Run.of("status", logDir.toString(), "--partition", none, "--config", config.toString());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("no partition directory " + none);
    }
    properties.setProperty("log.dirs", root.resolve("others").toString());
    set("migrate.threshold", "0.5");
    Run run =
        Run.of(
            "status", logDir.toString(), "--partition", "orders-0", "--config", config.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("other log directories");
  }
}
