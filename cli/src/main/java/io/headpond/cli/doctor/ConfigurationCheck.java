// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.EmptyDevice;
import io.headpond.cli.plan.ActiveSegments;
import io.headpond.pmem.Durability;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.DurabilityMode;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.StartCodes;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/** Checks a configuration file against the machine, before a broker is started with it. */
final class ConfigurationCheck {
  /** Less room than that isn't for bursts. */
  private static final double THRESHOLD_HIGH = 0.9;

  /** Sixteen segments of Kafka's standard size: such a tier can't hold anyone's retention. */
  private static final long SMALL_BYTES = 16L << 30;

  private static final String METADATA = ConfigKey.HOME_ONLY.standard();

  private final Path file;
  private final Machine machine;
  private final Diagnosis diagnosis;
  private final List<DirectoryReport> directories = new ArrayList<>();

  private ConfigurationCheck(Path file, Machine machine, Diagnosis diagnosis) {
    this.file = file;
    this.machine = machine;
    this.diagnosis = diagnosis;
  }

  /** Checks it and all directories that it names. */
  static List<DirectoryReport> run(Path file, Machine machine, Diagnosis diagnosis) {
    ConfigurationCheck check = new ConfigurationCheck(file, machine, diagnosis);
    try {
      check.check(StoreConfig.load(file));
    } catch (ConfigException e) {
      for (String message : e.messages()) {
        EventCode.Words words = StartCodes.CONFIGURATION.words(message);
        diagnosis.wrong(file.toString(), words.finding(), words.remedy());
      }
    }
    return check.directories;
  }

  private void check(StoreConfig config) {
    String subject = file.toString();
    if (config.tiers().isEmpty()) {
      diagnosis.advice(
          subject, "no tier is configured: everything stays home", "set headpond.tiers");
    } else {
      diagnosis.ok(subject, "read; " + Units.count(config.tiers().size(), "tier") + " above home");
    }
    if (config.preallocate()) {
      diagnosis.warning(
          subject,
          "log.preallocate=true makes Kafka create segments around Headpond: all stay home",
          "remove log.preallocate");
    }
    if (!config.tiers().isEmpty() && !config.homeOnly().match(METADATA)) {
      diagnosis.warning(
          subject,
          "headpond.home.only doesn't name "
              + METADATA
              + ": this node's copy of the cluster's metadata goes to a tier, and is lost with it",
          "set headpond.home.only=" + METADATA + "," + config.homeOnly());
    }
    if (!config.given().containsKey(ConfigKey.LOG_DIRS.name())) {
      foreignLetters("log.dirs");
      foreignLetters("log.dir");
    }
    List<Path> named = new ArrayList<>(config.logDirs());
    config.tiers().forEach(tier -> named.addAll(tier.paths()));
    if (diagnosis.silent(named)) {
      diagnosis.leftOut(subject);
      return;
    }
    new BrokerStart(config, diagnosis).check();
    for (TierConfig tier : config.tiers()) {
      tier(tier, config);
      threshold(tier);
    }
    if (!config.tiers().isEmpty()) {
      migration(subject, config);
    }
    config.logDirs().forEach(this::logDir);
    if (!config.tiers().isEmpty()) {
      activeSegments(config);
    }
  }

  /** Kafka reads a file as ISO-8859-1 in which Headpond reads UTF-8. */
  private void foreignLetters(String key) {
    Properties ours = new Properties();
    Properties kafkas = new Properties();
    try (Reader utf8 = Files.newBufferedReader(file);
        Reader latin = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      ours.load(utf8);
      kafkas.load(latin);
    } catch (IOException readBefore) {
      return;
    }
    if (!Objects.equals(ours.getProperty(key), kafkas.getProperty(key))) {
      diagnosis.warning(
          file.toString(),
          key
              + " has letters beyond ASCII, and Kafka, which reads ISO-8859-1, takes it for "
              + kafkas.getProperty(key),
          "write each of them as \\u and four hexadecimal digits, \\u00fc for ü: both read that"
              + " alike");
    }
  }

  /** One that isn't there was named already. */
  private void logDir(Path logDir) {
    directories.add(
        Files.isDirectory(logDir)
            ? DirectoryReport.of(
                logDir, DirectoryUse.HOME, Optional.empty(), Optional.empty(), machine, diagnosis)
            : DirectoryReport.unreadable(logDir));
  }

  private void tier(TierConfig tier, StoreConfig config) {
    for (Path path : tier.paths()) {
      DirectoryReport report =
          DirectoryReport.of(
              path,
              DirectoryUse.SEGMENTS,
              Optional.of(tier.type()),
              config.persist(),
              machine,
              diagnosis);
      directories.add(report);
      String isVolatile = Durability.VOLATILE.name().toLowerCase(Locale.ROOT);
      if (config.durability() == DurabilityMode.APPEND && isVolatile.equals(report.durability())) {
        diagnosis.warning(
            path.toString(),
            "headpond.durability=append can't be kept by a volatile tier",
            "put the tier on persistent memory or NVMe, or set headpond.durability=engine");
      }
      sameDevice(path, config);
      if (tier.ephemeral()) {
        ephemeral(path);
      }
    }
  }

  /** Reports why a recovery would be refused, before one is needed. */
  private void ephemeral(Path path) {
    try {
      EmptyDevice.mountObjection(path, EmptyDevice.MOUNTS)
          .ifPresent(
              objection ->
                  diagnosis.warning(
                      path.toString(),
                      "its tier is declared ephemeral, but 'headpond recover' will refuse it: "
                          + objection,
                      "mount the device's file system at this path, or name its mount point in the"
                          + " tier's paths"));
    } catch (IOException reportedAlready) {
      return;
    }
  }

  private void threshold(TierConfig tier) {
    String subject = "tier " + tier.name();
    String key = "headpond.tier." + tier.name() + ".migrate.threshold";
    if (tier.threshold() >= 0) {
      diagnosis.ok(
          subject,
          String.format(
              Locale.ROOT,
              "migration steers it to %.0f %% used (%s): the other %.0f %% take bursts",
              tier.threshold() * 100,
              key,
              (1 - tier.threshold()) * 100));
      if (tier.threshold() > THRESHOLD_HIGH) {
        diagnosis.advice(
            subject,
            "less than 10 % of it are kept free, so a burst soon overflows into slower tiers",
            "lower " + key + "; 'headpond plan' calculates it");
      }
    } else if (tier.capacityBytes().orElse(Long.MAX_VALUE) < SMALL_BYTES) {
      diagnosis.warning(
          subject,
          "its capacity is only "
              + Units.bytes(tier.capacityBytes().getAsLong())
              + ", and with "
              + key
              + "=-1 nothing makes room in it but retention: once full, all that is new overflows",
          "remove " + key + ", or set it to 0.5");
    } else {
      diagnosis.advice(
          subject,
          key + "=-1: nothing makes room in it but retention; once full, all that is new overflows",
          "right if its capacity holds the whole retention; else remove " + key);
    }
  }

  private void migration(String subject, StoreConfig config) {
    boolean limited = config.migrateBytesPerSecond() >= 0;
    diagnosis.ok(
        subject,
        "migration: policy "
            + config.migratePolicyName()
            + ", "
            + Units.count(config.migrateThreads(), "thread")
            + ", "
            + (limited
                ? "at most " + Units.bytes(config.migrateBytesPerSecond()) + "/s"
                : "no limit but what appends need")
            + "; home's reserve "
            + (config.homeReserve().percent()
                ? config.homeReserve()
                : Units.bytes(config.homeReserve().amount())));
    if (config.homeReserve().amount() == 0) {
      diagnosis.warning(
          subject,
          "headpond.home.reserve=0: migration and overflow may fill home to the last byte, and"
              + " Kafka stops a log directory in which it can't write an index or a checkpoint",
          "remove headpond.home.reserve (5% is the default)");
    }
  }

  private void sameDevice(Path tierPath, StoreConfig config) {
    config.logDirs().forEach(logDir -> diagnosis.sameDisk(tierPath, logDir, "log directory"));
  }

  /** The trap of many partitions: their active segments alone fill the tier. */
  private void activeSegments(StoreConfig config) {
    long partitions = 0;
    for (Path logDir : config.logDirs()) {
      try {
        partitions +=
            LogDirScan.partitions(logDir).stream()
                .map(each -> SegmentName.topic(each.getFileName().toString()))
                .filter(topic -> !config.homeOnly().match(topic))
                .count();
      } catch (IOException reportedAlready) {
        return;
      }
    }
    TierConfig first = config.tiers().get(0);
    long capacity =
        first.capacityBytes().isPresent()
            ? first.capacityBytes().getAsLong()
            : directories.stream()
                .filter(each -> first.paths().contains(Path.of(each.path())))
                .mapToLong(each -> each.capacityBytes() == null ? 0 : each.capacityBytes())
                .sum();
    long segment =
        config.engineSegmentBytes() > 0 ? config.engineSegmentBytes() : ActiveSegments.KAFKAS_BYTES;
    double threshold = first.threshold() < 0 ? 1 : first.threshold();
    ActiveSegments active = new ActiveSegments(partitions, segment);
    active
        .problem(capacity, threshold)
        .ifPresent(
            problem ->
                diagnosis.warning(
                    "tier " + first.name(), problem, active.remedy(capacity, threshold)));
  }
}
