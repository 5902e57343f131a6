// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.tier.TierDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An engine is killed at a random moment, again and again. Whoever looks at the log directory then
 * without knowing of Headpond finds every acknowledged record, in order, and no tail of zeros but
 * at the end of a log.
 *
 * <p>{@code -Dheadpond.test.crash.rounds=N} for more rounds, {@code -Dheadpond.test.seed=S} to
 * repeat a seed.
 */
final class StoreCrashTest {
  private static final int ROUNDS = Integer.getInteger("headpond.test.crash.rounds", 3);

  private final Properties properties = new Properties();
  private final Map<Integer, Model> models = new HashMap<>();
  private final List<Path> homes = new ArrayList<>();
  private int eventsMin = 1;
  private Path memory;
  private Path disk;

  /** What a log must hold. */
  private static final class Model {
    final TreeMap<Long, CrashRecord> acknowledged = new TreeMap<>();
    long start;
    int generation;
    int epoch;
    boolean dropping = true;
  }

  @BeforeEach
  void makeDirectories() throws Exception {
    final boolean anyName = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
    disk = Files.createTempDirectory(anyName ? "headpond crash é" : "headpond crash").toRealPath();
    final Path shm = Path.of("/dev/shm");
    memory =
        Files.isDirectory(shm)
            ? Files.createTempDirectory(shm, "headpond-crash")
            : Files.createDirectory(disk.resolve("memory"));
  }

  @AfterEach
  void removeDirectories() throws Exception {
    StoreFixture.remove(memory);
    StoreFixture.remove(disk);
  }

  private boolean mapsMemory = true;

  private void homes(final int count) throws IOException {
    final List<String> paths = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      homes.add(Files.createDirectory(disk.resolve("home " + i)));
      paths.add(homes.get(i).toString());
    }
    properties.setProperty("headpond.log.dirs", String.join(",", paths));
  }

  private void tier(final String name, final String capacity, final Path... directories)
      throws IOException {
    final List<String> paths = new ArrayList<>();
    for (final Path directory : directories) {
      paths.add(Files.createDirectory(directory).toString());
    }
    final String tiers = properties.getProperty("headpond.tiers");
    properties.setProperty("headpond.tiers", tiers == null ? name : tiers + "," + name);
    properties.setProperty("headpond.tier." + name + ".capacity", capacity);
    properties.setProperty("headpond.tier." + name + ".paths", String.join(",", paths));
  }

  @Test
  void anOverflowingMemoryTierOfTwoDirectoriesSurvivesKills() throws Exception {
    homes(1);
    tier("pmem", "5MiB", memory.resolve("a"), memory.resolve("b"));
    killAndVerify(4, 400_000);
  }

  @Test
  void twoTiersThatPromiseAppendsAndTwoHomesSurviveKills() throws Exception {
    homes(2);
    tier("pmem", "2MiB", memory.resolve("a"));
    tier("nvme", "3MiB", disk.resolve("nvme"));
    properties.setProperty("headpond.durability", "append");
    killAndVerify(4, 300_000);
  }

  @Test
  void aTierThatIsWrittenSurvivesKills() throws Exception {
    homes(1);
    mapsMemory = false;
    tier("nvme", "3MiB", disk.resolve("nvme"), memory.resolve("b"));
    killAndVerify(3, 300_000);
  }

  @Test
  void filesPreparedForNewSegmentsSurviveKills() throws Exception {
    homes(1);
    tier("pmem", "128MiB", memory.resolve("a"));
    eventsMin = 1_500;
    killAndVerify(2, 2_000_000);
  }

  private void killAndVerify(final int logs, final int segmentBytes) throws Exception {
    final long seed = Long.getLong("headpond.test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    final Random random = new Random(seed);
    final Path config = disk.resolve("headpond.properties");
    try (var writer = Files.newBufferedWriter(config, StandardCharsets.UTF_8)) {
      properties.store(writer, null);
    }
    for (int id = 0; id < logs; id++) {
      models.put(id, new Model());
    }
    for (int round = 1; round <= ROUNDS; round++) {
      final String what = "seed " + seed + ", round " + round;
      final boolean last = round == ROUNDS;
      run(config, logs, segmentBytes, round, random, last);
      for (int id = 0; id < logs; id++) {
        verify(what + ", log " + id, id, last);
      }
    }
    verifySpace();
  }

  /** One child, from its start to its end; the last one may stop by itself. */
  private void run(
      final Path config,
      final int logs,
      final int segmentBytes,
      final int round,
      final Random random,
      final boolean gently)
      throws Exception {
    final Path errors = disk.resolve("stderr-" + round);
    final Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dheadpond.internal.idle=1ms",
                "-Dheadpond.internal.maps.memory=" + mapsMemory,
                "-cp",
                System.getProperty("java.class.path"),
                CrashWriter.class.getName(),
                config.toString(),
                Integer.toString(logs),
                Integer.toString(segmentBytes),
                Integer.toString(round),
                Long.toString(random.nextLong()))
            .redirectError(errors.toFile())
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
      final int killAfter = eventsMin + random.nextInt(1 << (5 + random.nextInt(8)));
      int events = 0;
      String line = out.readLine();
      while (line != null && !line.equals("BYE")) {
        assertThat(line).as(Files.readString(errors)).doesNotStartWith("FAILED");
        apply(line);
        if (++events == killAfter && gently) {
          child.getOutputStream().close();
        } else if (events == killAfter) {
          // Through the handle: what the child has said already can still be read.
          child.toHandle().destroyForcibly();
        }
        line = out.readLine();
      }
      assertThat(events).as(Files.readString(errors)).isGreaterThanOrEqualTo(killAfter);
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(line == null).as("killed").isEqualTo(!gently);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private void apply(final String line) {
    final String[] words = line.split(" ");
    final Model model = models.get(Integer.parseInt(words[1]));
    switch (words[0]) {
      case "N" -> {
        model.acknowledged.clear();
        model.start = 0;
        model.generation = Integer.parseInt(words[2]);
        model.epoch = Integer.parseInt(words[3]);
        model.dropping = false;
      }
      case "R" -> recovered(model, line, words);
      case "A" -> {
        final long sequence = Long.parseLong(words[2]);
        model.acknowledged.put(
            sequence,
            new CrashRecord(Integer.parseInt(words[1]), model.generation, model.epoch, sequence));
      }
      case "S" -> {
        model.start = Long.parseLong(words[2]);
        model.acknowledged.headMap(model.start).clear();
      }
      case "T" -> {
        model.acknowledged.tailMap(Long.parseLong(words[2])).clear();
        model.epoch = Integer.parseInt(words[3]);
      }
      case "X" -> {
        model.acknowledged.clear();
        model.dropping = true;
      }
      default -> throw new AssertionError(line);
    }
  }

  private static void recovered(final Model model, final String line, final String[] words) {
    if (!model.dropping) {
      assertThat(Integer.parseInt(words[2])).as(line).isIn(model.generation, 0);
      if (!model.acknowledged.isEmpty()) {
        assertThat(Long.parseLong(words[3])).isLessThanOrEqualTo(model.acknowledged.firstKey());
        assertThat(Long.parseLong(words[4])).isGreaterThan(model.acknowledged.lastKey());
      }
    }
    model.generation = Integer.parseInt(words[2]);
    model.epoch = Integer.parseInt(words[5]);
    model.dropping = false;
  }

  /** With plain file reading, as somebody who knows nothing of tiers. */
  private void verify(final String what, final int id, final boolean stopped) throws IOException {
    final Model model = models.get(id);
    final Path directory = homes.get(id % homes.size()).resolve("log-" + id);
    final List<Path> segments = segments(directory);
    final TreeMap<Long, CrashRecord> found = new TreeMap<>();
    for (int i = 0; i < segments.size(); i++) {
      final Path segment = segments.get(i);
      assertThat(Files.isRegularFile(segment)).as("%s: %s resolves", what, segment).isTrue();
      final byte[] bytes = Files.readAllBytes(segment);
      int end = 0;
      for (final CrashRecord.Found record : CrashRecord.parse(id, bytes)) {
        final long sequence = record.record().sequence();
        assertThat(found.isEmpty() || found.lastKey() + 1 == sequence)
            .as("%s: %s: %d comes after %s", what, segment, sequence, found.lastEntry())
            .isTrue();
        found.put(sequence, record.record());
        end = record.endsAt();
      }
      if (i < segments.size() - 1 || stopped) {
        assertThat(bytes.length).as("%s: the end of %s", what, segment).isEqualTo(end);
      } else {
        verifyTail(what + ": " + segment, model, found, bytes, end, id);
      }
    }
    if (!model.dropping) {
      assertThat(found).as(what).containsAllEntriesOf(model.acknowledged);
    }
  }

  /** After the last whole record there may be a part of the one that was being written. */
  private static void verifyTail(
      final String what,
      final Model model,
      final TreeMap<Long, CrashRecord> found,
      final byte[] bytes,
      final int end,
      final int id) {
    final long next = found.isEmpty() ? -1 : found.lastKey() + 1;
    final byte[] torn =
        next < 0
            ? new CrashRecord(id, model.generation, model.epoch, 0).bytes()
            : new CrashRecord(id, model.generation, model.epoch, next).bytes();
    for (int i = end; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        assertThat(i - end < torn.length && bytes[i] == torn[i - end])
            .as("%s: byte %d of %d after the end at %d", what, i - end, bytes.length - end, end)
            .isTrue();
      }
    }
  }

  /** The segments as the engine takes them when it has finished an interrupted compaction. */
  private static List<Path> segments(final Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    final TreeMap<String, Path> segments = new TreeMap<>();
    try (Stream<Path> names = Files.list(directory)) {
      names
          .filter(path -> path.toString().endsWith(".log") || path.toString().endsWith(".swap"))
          .forEach(path -> segments.merge(base(path), path, StoreCrashTest::swapWins));
    }
    return List.copyOf(segments.values());
  }

  private static String base(final Path path) {
    return path.getFileName().toString().substring(0, 20);
  }

  private static Path swapWins(final Path a, final Path b) {
    return a.toString().endsWith(".swap") ? a : b;
  }

  /** What the store counts is what lies there, and nothing lies there that nobody needs. */
  private void verifySpace() throws Exception {
    try (TieredStore store =
        new TieredStore(StoreConfig.load(disk.resolve("headpond.properties")))) {
      store.claim();
      assertThat(store.counters().quarantinedFiles).as("orphans after a clean stop").hasValue(0);
      for (final TierDirectory directory : store.tiers().stream().flatMap(List::stream).toList()) {
        // Migration may still be at work.
        StoreFixture.await(
            directory + " counts what lies there",
            () ->
                directory.space.usedBytes()
                    == bytesBelow(directory.ref.path().resolve("segments")));
      }
    }
  }

  /** Negative if something moved away meanwhile. */
  private static long bytesBelow(final Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return 0;
    }
    long bytes = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (final Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    } catch (final NoSuchFileException | UncheckedIOException moved) {
      return -1;
    }
    return bytes;
  }
}
