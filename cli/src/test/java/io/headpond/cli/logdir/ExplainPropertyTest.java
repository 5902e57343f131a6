// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.MigrationEnd;
import io.headpond.store.TieredStore;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.LogDirScan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is explained of random brokers, and what their stores then do. */
class ExplainPropertyTest {
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("headpond.test.explain.rounds", 24);
  private static final int BYTES_MAX = 1 << 20;

  @TempDir Path root;
  private Random random;
  private ExplainFixture fixture;

  @Test
  void segmentsEndWhereTheExplanationSays() throws Exception {
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      System.out.println("seed " + seed);
      random = new Random(seed);
      fixture = new ExplainFixture(Files.createDirectory(root.resolve("round" + seed)));
      fixture.knowsWhenHeadpondCame = random.nextInt(3) == 0;
      makeLogs();
      configure();
      Map<String, String> expected = expected();
      try (TieredStore store = fixture.store()) {
        awaitEnd(store, expected, seed);
      }
      assertThat(expected).as("seed %d, and stay", seed).containsAllEntriesOf(expected());
    }
  }

  /** Some logs in the tier, as far as it has room, and some at home. */
  private void makeLogs() throws Exception {
    List<Duration> ages = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      ages.add(Duration.ofMinutes(7 + 31L * i));
    }
    Collections.shuffle(ages, random);
    for (int i = 0; i < 4; i++) {
      fixture.set("home.only", random.nextInt(3) == 0 ? "*" : "none");
      String partition = "topic" + i + "-0";
      int sealed = 2 + random.nextInt(8);
      fixture.log(partition, sealed, 1 + random.nextInt(BYTES_MAX));
      for (int number = 0; number <= sealed; number++) {
        fixture.written(partition, number, ages.remove(0));
      }
    }
    fixture.properties.remove("headpond.home.only");
  }

  private void configure() throws Exception {
    if (random.nextBoolean()) {
      Path slow = Files.createDirectory(fixture.tier.resolveSibling("slow"));
      fixture.tier("slow", slow);
      fixture.properties.setProperty("headpond.tiers", "fast,slow");
      fixture.properties.setProperty("headpond.tier.slow.migrate.threshold", threshold());
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        fixture.set("migrate.pin.up", "topic0");
        fixture.set("home.only", "topic1");
      }
      case 1 -> fixture.set("migrate.policy", "heat");
      case 2 -> {
        fixture.set("migrate.policy", "age");
        fixture.set("migrate.age", 1 + random.nextInt(30) + "h");
      }
      default -> fixture.set("migrate.policy", "freshness");
    }
    if (random.nextInt(3) == 0) {
      fixture.set("home.only", "topic2");
    }
    if (random.nextInt(3) == 0) {
      fixture.set("home.reserve", "99%");
    }
    if (random.nextInt(3) == 0) {
      fixture.properties.setProperty("log.retention.hours", "12");
    }
    fixture.set("migrate.threads", "1");
    fixture.set("migrate.threshold", threshold());
  }

  private String threshold() {
    return List.of("-1", "0.1", "0.3", "0.5", "0.6").get(random.nextInt(5));
  }

  /** The place of each segment after all moves, by its name. */
  private Map<String, String> expected() throws Exception {
    StoreConfig config = StoreConfig.load(fixture.config);
    long nowMs = System.currentTimeMillis();
    BrokerSnapshot snapshot =
        new BrokerSnapshot(
            config, Optional.empty(), nowMs, List.of(fixture.logDir), fixture.logDir);
    Map<String, Path> before = new TreeMap<>();
    snapshot.segments().forEach((entry, each) -> before.put(key(entry), each.directory()));
    MigrationOutlook outlook = new MigrationOutlook(config, snapshot, nowMs);
    Map<String, String> expected = new TreeMap<>();
    snapshot
        .segments()
        .forEach(
            (entry, segment) -> {
              Path directory = segment.directory();
              expected.put(key(entry), place(directory));
              if (!place(directory).equals(place(before.get(key(entry))))) {
                assertThat(outlook.of(entry, snapshot.place(before.get(key(entry)))).next())
                    .as(key(entry))
                    .isNotEqualTo("stays");
              }
            });
    return expected;
  }

  private static String key(LogDirScan.Entry entry) {
    return entry.partition() + "/" + entry.name().getFileName();
  }

  private static String place(Path directory) {
    return directory == null ? "home" : directory.getFileName().toString();
  }

  private Map<String, String> now() throws Exception {
    Map<String, String> now = new TreeMap<>();
    LogDirScan.scan(
        fixture.logDir,
        entry ->
            now.put(
                key(entry),
                // TIER/segments/HOME/FILE
                entry.linked() ? place(entry.target().resolve("../../..").normalize()) : "home"));
    return now;
  }

  private void awaitEnd(TieredStore store, Map<String, String> expected, long seed)
      throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    boolean there = false;
    while (!there && System.nanoTime() < deadline) {
      boolean quiet = MigrationEnd.reached(store);
      Map<String, String> now = now();
      now.keySet().retainAll(expected.keySet()); // not a topic that stays home, and is there
      there = quiet && now.equals(expected);
      LockSupport.parkNanos(1_000_000);
    }
    Map<String, String> now = now();
    now.keySet().retainAll(expected.keySet());
    assertThat(now).as("seed %d, %s", seed, fixture.properties).isEqualTo(expected);
  }
}
