// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.EmptyDevice;
import io.headpond.pmem.Durability;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.DurabilityMode;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.StartCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks a configuration file against the machine, before a broker is started with it. */
final class ConfigurationCheck {
  private static final String METADATA = ConfigKey.HOME_ONLY.standard();

  private final Path file;
  private final Diagnosis diagnosis;
  private final List<DirectoryReport> directories = new ArrayList<>();

  private ConfigurationCheck(Path file, Diagnosis diagnosis) {
    this.file = file;
    this.diagnosis = diagnosis;
  }

  /** Checks it and all directories that it names. */
  static List<DirectoryReport> run(Path file, Diagnosis diagnosis) {
    ConfigurationCheck check = new ConfigurationCheck(file, diagnosis);
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
    if (!config.tiers().isEmpty() && !config.homeOnly().match(METADATA)) {
      diagnosis.warning(
          subject,
          "headpond.home.only doesn't name "
              + METADATA
              + ": this node's copy of the cluster's metadata goes to a tier, and is lost with it",
          "set headpond.home.only=" + METADATA + "," + config.homeOnly());
    }
    List<Path> named = new ArrayList<>(config.logDirs());
    config.tiers().forEach(tier -> named.addAll(tier.paths()));
    if (diagnosis.silent(named)) {
      diagnosis.leftOut(subject);
      return;
    }
    new BrokerStart(config, diagnosis).check();
    config.tiers().forEach(tier -> tier(tier, config));
    config.logDirs().forEach(this::logDir);
  }

  /** One that isn't there was named already. */
  private void logDir(Path logDir) {
    directories.add(
        Files.isDirectory(logDir)
            ? DirectoryReport.of(logDir, DirectoryUse.HOME, diagnosis)
            : DirectoryReport.unreadable(logDir));
  }

  private void tier(TierConfig tier, StoreConfig config) {
    for (Path path : tier.paths()) {
      DirectoryReport report = DirectoryReport.of(path, DirectoryUse.SEGMENTS, diagnosis);
      directories.add(report);
      String isVolatile = Durability.VOLATILE.name().toLowerCase(Locale.ROOT);
      if (config.durability() == DurabilityMode.APPEND && isVolatile.equals(report.durability())) {
        diagnosis.warning(
            path.toString(),
            "headpond.durability=append can't be kept by a volatile tier",
            "put the tier on persistent memory or NVMe, or set headpond.durability=engine");
      }
      config.logDirs().forEach(logDir -> diagnosis.sameDisk(path, logDir, "log directory"));
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
}
