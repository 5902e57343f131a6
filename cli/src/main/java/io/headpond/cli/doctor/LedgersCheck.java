// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.ledger.LedgerConfig;
import io.headpond.bookkeeper.ledger.LedgerKeys;
import io.headpond.cli.console.Units;
import io.headpond.store.config.ConfigException;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Checks where a bookie's entry logs lie. */
final class LedgersCheck {
  private static final String STORAGE = "ledgerStorageClass";

  /** A fast device with room for less has hardly anything in it that is worth reading. */
  private static final int LOGS_MIN = 4;

  private final Path file;
  private final Properties properties;
  private final List<Path> ledgers;
  private final Machine machine;
  private final Diagnosis diagnosis;

  LedgersCheck(
      Path file, Properties properties, List<Path> ledgers, Machine machine, Diagnosis diagnosis) {
    this.file = file;
    this.properties = properties;
    this.ledgers = ledgers;
    this.machine = machine;
    this.diagnosis = diagnosis;
  }

  /** The fast directories, if entry logs lie in two places. */
  List<DirectoryReport> run() {
    if (!properties.getProperty(STORAGE, "").strip().equals(BookieSettings.LEDGER_STORAGE)) {
      ledgers.forEach(this::withoutPlugIn);
      return List.of();
    }
    Map<String, String> keys = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(LedgerKeys.PREFIX)) {
        keys.put(key, properties.getProperty(key));
      }
    }
    List<DirectoryReport> reports = new ArrayList<>();
    try {
      LedgerConfig config = LedgerConfig.parse(keys, ledgers);
      diagnosis.ok(file.toString(), STORAGE + " is Headpond's");
      for (Path fast : config.fast().values()) {
        reports.add(
            DirectoryReport.of(
                fast,
                DirectoryUse.ENTRY_LOGS,
                Optional.empty(),
                Optional.empty(),
                machine,
                diagnosis));
        room(fast, config);
      }
    } catch (ConfigException e) {
      diagnosis.wrong(
          file.toString(), e.getMessage(), "correct it; docs/configuration.md has all keys");
    }
    return reports;
  }

  private void room(Path fast, LedgerConfig config) {
    long log = logBytes();
    long room = config.capacityBytes().orElse(fast.toFile().getTotalSpace());
    if (Files.isDirectory(fast) && room < LOGS_MIN * log) {
      diagnosis.warning(
          fast.toString(),
          "has room for fewer than "
              + LOGS_MIN
              + " entry logs of "
              + Units.bytes(log)
              + ": new ones soon go to the ledger directory",
          "set logSizeLimit=" + Long.highestOneBit(Math.max(1, room / (2 * LOGS_MIN))));
    }
  }

  private long logBytes() {
    try {
      return Long.parseLong(properties.getProperty("logSizeLimit", "1073741824").strip());
    } catch (NumberFormatException reportedByBookKeeper) {
      return 1 << 30;
    }
  }

  /** A fast device that is taken away too would take entry logs with it. */
  private void withoutPlugIn(Path directory) {
    try {
      if (Files.isDirectory(directory) && HomeIdentity.read(directory).isPresent()) {
        diagnosis.warning(
            directory.toString(),
            "has entry logs on a fast device, but "
                + STORAGE
                + " isn't Headpond's: they are read as long as that device is mounted",
            "with the bookie stopped: headpond drain --bookkeeper " + file);
      }
    } catch (IOException | StoreRefusedException e) {
      diagnosis.wrong(directory.toString(), e.getMessage(), "restore .headpond there");
    }
  }
}
