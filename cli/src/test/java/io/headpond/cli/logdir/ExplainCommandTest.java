// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import io.headpond.store.StoreConfig;
import io.headpond.store.StoreFacts;
import io.headpond.store.TieredStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that a real store has written, and what its migration then really does. */
class ExplainCommandTest {
  private static final int MIB = 1 << 20;

  @TempDir Path root;
  private Path logDir;
  private Path tier;
  private Path config;
  private final Properties properties = new Properties();
  private final List<String> partitions = new ArrayList<>();

  @BeforeEach
  void makeDirectories() throws IOException {
    logDir = Files.createDirectory(root.toRealPath().resolve("log dir"));
    tier = Files.createDirectory(root.toRealPath().resolve("tier"));
    config = root.toRealPath().resolve("server.properties");
    properties.setProperty("log.dirs", logDir.toString());
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.tier.fast.type", "file");
    properties.setProperty("headpond.tier.fast.paths", tier.toString());
    properties.setProperty("headpond.tier.fast.capacity", "16MiB");
    properties.setProperty("headpond.home.reserve", "0");
    set("migrate.threshold", "-1");
  }

  private void set(String key, String value) throws IOException {
    properties.setProperty(
        key.equals("migrate.threshold") ? "headpond.tier.fast." + key : "headpond." + key, value);
    try (Writer out = Files.newBufferedWriter(config)) {
      properties.store(out, null);
    }
  }

  private TieredStore store() throws Exception {
    TieredStore store = new TieredStore(StoreConfig.load(config));
    store.claim();
    return store;
  }

  /** A log of sealed segments of 1 MiB each, the first one the oldest, and an empty active one. */
  private void log(String partition, int sealed, Duration oldest, Duration step) throws Exception {
    partitions.add(partition);
    Path directory = Files.createDirectory(logDir.resolve(partition));
    try (TieredStore store = store()) {
      for (int i = 0; i <= sealed; i++) {
        try (FileChannel segment =
            store.open(
                name(directory, i),
                Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE))) {
          segment.write(ByteBuffer.allocate(i < sealed ? MIB : 0));
        }
      }
    }
    for (int i = 0; i < sealed; i++) {
      Instant written = Instant.now().minus(oldest).plus(step.multipliedBy(i));
      Files.setLastModifiedTime(name(directory, i), FileTime.from(written));
    }
  }

  private static Path name(Path partition, int number) {
    return partition.resolve(String.format("%020d.log", number));
  }

  private JsonNode explain(String partition) throws IOException {
    Run run =
        Run.of("explain", logDir.toString(), partition, "--config", config.toString(), "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
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
    try (TieredStore store = store()) {
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (moved(store.facts().moves()) < moves) {
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

  private static long moved(StoreFacts.Moves moves) {
    return moves.downSegments() + moves.upSegments();
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
  void aTierBelowItsThresholdKeepsWhatItHas() throws Exception {
    log("orders-0", 6, Duration.ofHours(5), Duration.ofMinutes(1));
    set("migrate.threshold", "0.5");
    assertThat(said()).containsEntry("orders-0/0", "fast stays below_threshold");
    migrationDoesIt();
  }

  @Test
  void pinnedTopicsStayUpOrGoHome() throws Exception {
    log("kept-0", 5, Duration.ofHours(9), Duration.ofMinutes(1));
    log("out-0", 2, Duration.ofMinutes(9), Duration.ofMinutes(1));
    log("rest-0", 5, Duration.ofHours(2), Duration.ofMinutes(1));
    set("migrate.policy", "pinned,freshness");
    set("migrate.pin.up", "kept");
    set("migrate.pin.home", "out");
    set("migrate.threshold", "0.5");
    assertThat(said())
        .containsEntry("kept-0/0", "fast stays pinned_up")
        .containsEntry("out-0/0", "fast down above_threshold")
        .containsEntry("rest-0/0", "fast down above_threshold");
    migrationDoesIt();
    assertThat(said()).containsEntry("out-0/0", "home stays pinned_home");
  }

  @Test
  void whatIsTooOldGoesDownWithoutNeed() throws Exception {
    log("orders-0", 4, Duration.ofMinutes(100), Duration.ofMinutes(30));
    set("migrate.policy", "age");
    set("migrate.age", "1h");
    set("migrate.threshold", "0.9");
    assertThat(said())
        .containsEntry("orders-0/0", "fast down too_old")
        .containsEntry("orders-0/1", "fast down too_old")
        .containsEntry("orders-0/2", "fast stays below_threshold");
    migrationDoesIt();
    assertThat(said()).containsEntry("orders-0/0", "home stays too_old");
  }

  @Test
  void theHottestComeUpAsLongAsThereIsRoom() throws Exception {
    set("migrate.policy", "pinned");
    set("migrate.pin.home", "*");
    log("cold-0", 6, Duration.ofHours(5), Duration.ofMinutes(1));
    log("warm-0", 6, Duration.ofHours(2), Duration.ofMinutes(1));
    properties.remove("headpond.migrate.pin.home");
    set("migrate.policy", "freshness");
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
  void whatMigrationNeverTouchesIsNamedSo() throws Exception {
    log("orders-0", 2, Duration.ofHours(5), Duration.ofMinutes(1));
    assertThat(said())
        .containsEntry("orders-0/0", "fast stays no_migration")
        .containsEntry("orders-0/2", "fast stays active");
    set("home.only", "orders");
    assertThat(said()).containsEntry("orders-0/0", "fast stays home_only");
  }

  @Test
  void itOnlyReadsAndShowsTheSameToPeople() throws Exception {
    log("orders-0", 2, Duration.ofHours(5), Duration.ofMinutes(1));
    set("migrate.threshold", "0.5");
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of("explain", logDir.toString(), "orders-0", "--config", config.toString());
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
    Run run = Run.of("explain", logDir.toString(), "orders-0");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("of " + config);
    Files.move(config, config.resolveSibling("elsewhere"));
    Run refused = Run.of("explain", logDir.toString(), "orders-0");
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
  void aSegmentThatIsWrittenToMeanwhileIsExplained() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    Path active = name(logDir.resolve("orders-0"), 1);
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              try (FileChannel channel = FileChannel.open(active, StandardOpenOption.WRITE)) {
                while (!stop.get()) {
                  channel.write(ByteBuffer.allocate(64), 0);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.start();
    try {
      for (int i = 0; i < 20; i++) {
        assertThat(explain("orders-0").at("/segments/1/reason").asText()).isEqualTo("active");
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }

  @Test
  void aSegmentThatIsMissingIsSomethingWrong() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    Files.delete(Files.readSymbolicLink(name(logDir.resolve("orders-0"), 0)));
    Run run = Run.of("explain", logDir.toString(), "orders-0", "--config", config.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("its link leads nowhere");
  }

  @Test
  void whatIsNoPartitionOrNotItsConfigurationIsRefused() throws Exception {
    log("orders-0", 1, Duration.ofHours(5), Duration.ofMinutes(1));
    for (String none : List.of("orders-7", "../log dir", ".")) {
      Run run = Run.of("explain", logDir.toString(), none, "--config", config.toString());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("no partition directory " + none);
    }
    properties.setProperty("log.dirs", root.resolve("others").toString());
    set("migrate.threshold", "0.5");
    Run run = Run.of("explain", logDir.toString(), "orders-0", "--config", config.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("other log directories");
  }
}
