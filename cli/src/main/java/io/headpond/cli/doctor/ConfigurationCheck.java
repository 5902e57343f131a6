// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import io.headpond.pmem.Durability;
import io.headpond.store.ConfigException;
import io.headpond.store.DurabilityMode;
import io.headpond.store.StoreConfig;
import io.headpond.store.TierConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks a configuration file against the machine, before a broker is started with it. */
final class ConfigurationCheck {
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
      diagnosis.wrong(
          file.toString(), e.getMessage(), "correct it; docs/configuration.md has all keys");
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
    for (TierConfig tier : config.tiers()) {
      tier(tier, config);
    }
    for (Path logDir : config.logDirs()) {
      directories.add(
          DirectoryReport.of(logDir, Optional.empty(), Optional.empty(), machine, diagnosis));
    }
  }

  private void tier(TierConfig tier, StoreConfig config) {
    long total = 0;
    for (Path path : tier.paths()) {
      DirectoryReport report =
          DirectoryReport.of(path, Optional.of(tier.type()), config.persist(), machine, diagnosis);
      directories.add(report);
      total += report.capacityBytes() == null ? 0 : report.capacityBytes();
      String isVolatile = Durability.VOLATILE.name().toLowerCase(Locale.ROOT);
      if (config.durability() == DurabilityMode.APPEND && isVolatile.equals(report.durability())) {
        diagnosis.warning(
            path.toString(),
            "headpond.durability=append can't be kept by a volatile tier",
            "put the tier on persistent memory or NVMe, or set headpond.durability=engine");
      }
      sameDevice(path, config);
    }
    if (total > 0 && tier.capacityBytes().orElse(0) > total) {
      diagnosis.wrong(
          "tier " + tier.name(),
          "its capacity is "
              + Units.bytes(tier.capacityBytes().getAsLong())
              + ", but its file systems have "
              + Units.bytes(total),
          "set headpond.tier." + tier.name() + ".capacity to less than that");
    }
  }

  private void sameDevice(Path tierPath, StoreConfig config) {
    for (Path logDir : config.logDirs()) {
      try {
        if (Files.getFileStore(tierPath).equals(Files.getFileStore(logDir))) {
          diagnosis.advice(
              tierPath.toString(),
              "lies on the same file system as the log directory " + logDir + ": nothing is gained",
              "mount the fast device there, or name its directory");
        }
      } catch (IOException reportedAlready) {
        return;
      }
    }
  }
}
