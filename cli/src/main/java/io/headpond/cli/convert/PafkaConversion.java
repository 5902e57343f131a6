// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.convert;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The conversion of Pafka's keys.
 *
 * <p>Pafka (github.com/4paradigm/pafka) had three sets of them. 0.1: {@code log.channel.type=pmem}
 * with {@code storage.pmem.path}, {@code storage.pmem.size}, {@code log.pmem.pool.ratio}. 0.2: also
 * {@code mix} with {@code storage.hdd.path}, {@code storage.migrate.threshold} and {@code
 * storage.migrate.threads}. After it: {@code tiered} with {@code storage.tiers.types}, {@code
 * storage.tiers.first.paths}, {@code storage.tiers.first.sizes} and {@code
 * storage.tiers.second.paths}.
 */
final class PafkaConversion {
  static final String TYPE = "log.channel.type";
  static final String PREALLOCATE = "log.preallocate";
  static final String LOG_DIRS = "log.dirs";
  private static final String LOG_DIR = "log.dir";
  private static final String POOL = "log.pmem.pool.ratio";
  private static final String PMEM_PATH = "storage.pmem.path";
  private static final String PMEM_SIZE = "storage.pmem.size";
  private static final String HDD_PATH = "storage.hdd.path";
  private static final String TIER_TYPES = "storage.tiers.types";
  private static final String FIRST_PATHS = "storage.tiers.first.paths";
  private static final String FIRST_SIZES = "storage.tiers.first.sizes";
  private static final String SECOND_PATHS = "storage.tiers.second.paths";
  private static final String THRESHOLD = "storage.migrate.threshold";
  private static final String THREADS = "storage.migrate.threads";
  private static final int THREADS_MAX = 16;

  private static final Set<String> PAFKAS =
      Set.of(
          TYPE,
          POOL,
          PMEM_PATH,
          PMEM_SIZE,
          HDD_PATH,
          TIER_TYPES,
          FIRST_PATHS,
          FIRST_SIZES,
          SECOND_PATHS,
          THRESHOLD,
          THREADS);

  /** Below a directory of Pafka's: what lies there already is in Pafka's own format. */
  private static final String TIER_FOLDER = "headpond";

  private static final String HOME_FOLDER = "kafka-logs";

  /** One line that we write, and why. */
  record Setting(String key, String value, String reason) {}

  private final PropertiesText pafka;
  private final List<Setting> settings = new ArrayList<>();

  /** The result for each key that was found, in words. */
  private final Map<String, String> fates = new LinkedHashMap<>();

  private final List<String> notes = new ArrayList<>();

  private PafkaConversion(PropertiesText pafka) {
    this.pafka = pafka;
  }

  /**
   * Converts.
   *
   * @param logDirs the new home; empty: folders below Pafka's second layer
   * @throws CommandFailure if a value makes no sense, or there is no place for a home
   */
  static PafkaConversion of(PropertiesText pafka, List<String> logDirs) {
    boolean any =
        pafka.lines().stream().anyMatch(line -> line.key() != null && PAFKAS.contains(line.key()));
    if (!any) {
      throw new CommandFailure(
          "there is no key of Pafka in it",
          "an unforked Kafka's configuration needs no conversion: see docs/configuration.md");
    }
    if (pafka.lines().stream()
        .anyMatch(line -> line.key() != null && line.key().startsWith("headpond."))) {
      throw new CommandFailure(
          "there are headpond. keys in it already", "give the configuration that Pafka used");
    }
    PafkaConversion conversion = new PafkaConversion(pafka);
    conversion.convert(logDirs);
    return conversion;
  }

  /** Our settings, in the order in which they are written. */
  List<Setting> settings() {
    return settings;
  }

  /** Each of Pafka's keys that was found, and what became of it. */
  Map<String, String> fates() {
    return fates;
  }

  /** Further remarks for the operator. */
  List<String> notes() {
    return notes;
  }

  private void convert(List<String> logDirs) {
    String type = pafka.value(TYPE).orElse("file").toLowerCase(Locale.ROOT);
    switch (type) {
      case "file" -> off();
      case "pmem", "mix", "tiered" -> on(type, logDirs);
      default ->
          throw new CommandFailure(
              TYPE + "=" + type + " is none of file, pmem, mix, tiered", "correct it first");
    }
    found(
        PREALLOCATE,
        "dropped: Pafka needed it; it would make Kafka create segments around Headpond, which then"
            + " all stay home");
    if (pafka.value("zookeeper.connect").isPresent()) {
      notes.add(
          "zookeeper.connect: Kafka 4 has no ZooKeeper; move to KRaft, or use Kafka 3.9 with it");
    }
  }

  private void off() {
    String reason = "dropped: " + TYPE + "=file, so Pafka used the log directory alone";
    for (String key : PAFKAS) {
      found(key, reason);
    }
    found(TYPE, "dropped: Kafka's own files, as without Pafka; no tier is configured");
    notes.add("Pafka's tiers were switched off (" + TYPE + "=file), so there is none here either");
  }

  private void found(String key, String fate) {
    if (pafka.value(key).isPresent()) {
      fates.put(key, fate);
    }
  }

  private void on(String type, List<String> logDirs) {
    String tier = tierName(type);
    boolean byTierKeys =
        type.equals("tiered")
            || type.equals("pmem")
                && pafka.value(FIRST_PATHS).isPresent()
                && pafka.value(PMEM_PATH).isEmpty();
    found(TYPE, "headpond.tiers, and the plug-in itself (-javaagent, or two options of the JVM)");
    settings.add(
        new Setting(
            "headpond.tiers",
            tier,
            "The first layer is a tier; the second is home, Kafka's own log directory, and is not"
                + " listed."));
    settings.add(
        new Setting(
            "headpond.tier." + tier + ".type",
            tier.equals("pmem") ? "pmem" : "file",
            tier.equals("pmem")
                ? "Mapped and persisted by the processor; without a pool of Pafka's format."
                : "Any file system, by read, write and force."));
    List<String> paths = paths(byTierKeys ? FIRST_PATHS : PMEM_PATH, "/pmem");
    settings.add(
        new Setting(
            "headpond.tier." + tier + ".paths",
            String.join(",", below(paths, TIER_FOLDER)),
            "Folders of their own on the same devices: make them, owned by the broker's user. What"
                + " Pafka left beside them is of no use to Kafka."));
    capacity(tier, byTierKeys ? FIRST_SIZES : PMEM_SIZE, paths.size());
    threshold(tier, type);
    threads();
    pool(tier);
    home(type, tier, byTierKeys, logDirs);
    unused(byTierKeys);
  }

  private String tierName(String type) {
    if (!type.equals("tiered")) {
      found(TIER_TYPES, "dropped: " + TYPE + "=" + type + " has persistent memory first");
      return "pmem";
    }
    String[] types = pafka.value(TIER_TYPES).orElse("PMEM,HDD").toLowerCase(Locale.ROOT).split(",");
    String first = types[0].strip();
    if (!Set.of("pmem", "nvme", "ssd", "hdd").contains(first)) {
      throw new CommandFailure(
          TIER_TYPES + ": '" + first + "' is none of PMEM, NVME, SSD, HDD", "correct it first");
    }
    found(TIER_TYPES, "headpond.tiers and headpond.tier." + first + ".type");
    return first;
  }

  private List<String> paths(String key, String standard) {
    List<String> paths = new ArrayList<>();
    for (String path : pafka.value(key).orElse(standard).split(",")) {
      if (!path.isBlank()) {
        paths.add(path.strip());
      }
    }
    if (paths.isEmpty()) {
      throw new CommandFailure(key + " names no directory", "correct it first");
    }
    if (pafka.value(key).isEmpty()) {
      notes.add(key + " was not set: Pafka's default " + standard + " is taken");
    }
    return paths;
  }

  private static List<String> below(List<String> paths, String folder) {
    return paths.stream().map(path -> Path.of(path).resolve(folder).toString()).toList();
  }

  /** Headpond shares a tier's capacity alike among its directories. */
  private void capacity(String tier, String key, int directories) {
    String value = pafka.value(key).orElse("-1");
    List<Long> sizes = new ArrayList<>();
    for (String size : value.split(",")) {
      sizes.add(number(key, size.strip()));
    }
    if (sizes.size() != directories
        && !(sizes.size() == 1 && (sizes.get(0) == -1 || key.equals(PMEM_SIZE)))) {
      throw new CommandFailure(
          key + " has " + sizes.size() + " values for " + directories + " directories",
          "give one for each");
    }
    List<Long> limits = sizes.stream().filter(size -> size >= 0).toList();
    String ours = "headpond.tier." + tier + ".capacity";
    if (limits.isEmpty()) {
      found(key, "dropped: -1, all that the file systems have; so is Headpond's default, less 2 %");
      return;
    }
    long smallest = limits.stream().min(Long::compare).orElseThrow();
    long total = key.equals(PMEM_SIZE) ? smallest : smallest * directories;
    boolean alike = sizes.stream().allMatch(size -> size == smallest);
    found(key, ours);
    settings.add(
        new Setting(
            ours,
            total + "B",
            alike
                ? Units.bytes(total) + " in all directories together."
                : directories
                    + " times the smallest of "
                    + value
                    + " B: Headpond shares the capacity alike among the directories."));
  }

  private static long number(String key, String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= -1 && number != 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new CommandFailure(key + ": '" + text + "' is not a number of bytes", "correct it", e);
    }
    throw new CommandFailure(key + ": '" + text + "' is neither a size nor -1", "correct it first");
  }

  private void threshold(String tier, String type) {
    if (type.equals("pmem")) {
      found(THRESHOLD, "dropped: with " + TYPE + "=pmem Pafka migrated nothing");
      settings.add(
          new Setting(
              "headpond.tier." + tier + ".migrate.threshold",
              "0.5",
              "Pafka had no second layer with "
                  + TYPE
                  + "=pmem. Headpond has one: what doesn't fit goes home."));
      return;
    }
    String value = pafka.value(THRESHOLD).orElse("0.5");
    double share;
    try {
      share = Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new CommandFailure(THRESHOLD + ": '" + value + "' is not a number", "correct it", e);
    }
    if (share != -1 && !(share >= 0 && share <= 1)) {
      throw new CommandFailure(THRESHOLD + "=" + value + " is neither 0 to 1 nor -1", "correct it");
    }
    found(THRESHOLD, "headpond.tier." + tier + ".migrate.threshold");
    settings.add(
        new Setting(
            "headpond.tier." + tier + ".migrate.threshold",
            share == -1 ? "-1" : value,
            share == -1
                ? "As in Pafka: nothing moves by itself."
                : "As in Pafka: above this used share the oldest segments go home, clearly below it"
                    + " the newest come back."));
  }

  private void threads() {
    if (pafka.value(THREADS).isEmpty()) {
      return;
    }
    long threads = number(THREADS, pafka.value(THREADS).get());
    if (threads < 1) {
      throw new CommandFailure(THREADS + " must be at least 1", "correct it first");
    }
    found(THREADS, "headpond.migrate.threads");
    settings.add(
        new Setting(
            "headpond.migrate.threads",
            String.valueOf(Math.min(THREADS_MAX, threads)),
            threads > THREADS_MAX
                ? "Pafka had "
                    + threads
                    + "; more than "
                    + THREADS_MAX
                    + " only wait for each other."
                : "Segments that are moved at the same time, as in Pafka."));
  }

  private void pool(String tier) {
    String ratio = pafka.value(POOL).orElse("");
    if (ratio.matches("0(\\.0*)?")) {
      found(POOL, "headpond.tier." + tier + ".pool");
      settings.add(
          new Setting(
              "headpond.tier." + tier + ".pool", "0", "No files are kept ready, as in Pafka."));
      return;
    }
    found(
        POOL,
        "dropped: nothing is allocated beforehand, segments are grown ahead of their writer; files"
            + " of deleted segments are used again on DAX (headpond.tier."
            + tier
            + ".pool, 1/16 of the capacity)");
  }

  private void home(String type, String tier, boolean byTierKeys, List<String> logDirs) {
    List<String> homes = logDirs;
    String reason = "As given by --log-dirs.";
    if (homes.isEmpty()) {
      if (type.equals("pmem")) {
        throw new CommandFailure(
            TYPE + "=pmem has no second layer, and Headpond's home belongs on a big disk",
            "say where with --log-dirs, for example --log-dirs /data1/kafka-logs");
      }
      homes = below(paths(byTierKeys ? SECOND_PATHS : HDD_PATH, "/hdd"), HOME_FOLDER);
      reason =
          "Folders of their own below Pafka's second layer: what Pafka left beside them are logs"
              + " with gaps to Kafka, so they must not be its log directory.";
    }
    String fate = "replaced by a new one: to Kafka the old one has logs without their segments";
    found(LOG_DIRS, fate);
    found(LOG_DIR, fate);
    settings.add(new Setting(LOG_DIRS, String.join(",", homes), reason));
    found(byTierKeys ? SECOND_PATHS : HDD_PATH, LOG_DIRS);
    found(byTierKeys ? FIRST_PATHS : PMEM_PATH, "headpond.tier." + tier + ".paths");
    notes.add(
        "the data itself can't be taken over: only Pafka reads its format. Start with empty"
            + " directories, and let the brokers replicate, or mirror the topics (MirrorMaker 2)");
  }

  private void unused(boolean byTierKeys) {
    for (String key : PAFKAS) {
      if (pafka.value(key).isPresent() && !fates.containsKey(key)) {
        fates.put(
            key,
            "dropped: "
                + (byTierKeys ? "the storage.tiers. keys say it" : TYPE + " doesn't use it"));
      }
    }
  }
}
