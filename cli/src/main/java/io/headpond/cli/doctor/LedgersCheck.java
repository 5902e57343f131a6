// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.ledger.LedgerConfig;
import io.headpond.bookkeeper.ledger.LedgerKeys;
import io.headpond.bookkeeper.ledger.PlaceCheck;
import io.headpond.cli.logdir.EngineLock.Holder;
import io.headpond.store.config.ConfigException;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

  /** BookKeeper's own default. */
  private static final Path LEDGERS = Path.of("/tmp/bk-data");

  private final Path file;
  private final Properties properties;
  private final List<Path> ledgers;

  /** One for each ledger directory, or none: the index lies there too. */
  private final List<Path> index;

  private final Diagnosis diagnosis;

  /** The process that has these ledgers open; null: none. */
  private final Holder bookie;

  /**
   * @param ledgers the ledger directories; empty: BookKeeper's default
   * @param index the index directories; empty: the ledger directories
   * @param bookie who has them open
   */
  LedgersCheck(
      Path file,
      Properties properties,
      List<Path> ledgers,
      List<Path> index,
      Optional<Holder> bookie,
      Diagnosis diagnosis) {
    this.file = file;
    this.properties = properties;
    this.ledgers = ledgers.isEmpty() ? List.of(LEDGERS) : ledgers;
    this.index = index.size() == this.ledgers.size() ? index : this.ledgers;
    this.bookie = bookie.orElse(null);
    this.diagnosis = diagnosis;
  }

  /** Do entry logs lie in two places? */
  static boolean ours(Properties properties) {
    return properties.getProperty(STORAGE, "").strip().equals(BookieSettings.LEDGER_STORAGE);
  }

  /** The fast directories, if entry logs lie in two places. */
  List<DirectoryReport> run() {
    if (!ours(properties)) {
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
      LedgerConfig.refuseSettings(key -> BookieSettings.isTrue(properties.getProperty(key, "")));
      LedgerConfig config = LedgerConfig.parse(keys, ledgers);
      diagnosis.ok(file.toString(), STORAGE + " is Headpond's");
      for (Path ledger : ledgers) {
        Path fast = config.fast().get(ledger);
        if (diagnosis.silent(List.of(fast))) {
          continue;
        }
        places(ledger, fast);
        reports.add(DirectoryReport.of(fast, DirectoryUse.ENTRY_LOGS, diagnosis));
        diagnosis.sameDisk(fast, ledger, "ledger directory");
        owner(ledger, ledger, List.of(ledger.resolve("current")));
        owner(ledger, fast, logs(ledger, fast));
        room(fast, config);
      }
    } catch (StoreRefusedException e) {
      diagnosis.wrong(file.toString(), e.words().finding(), e.words().remedy());
    } catch (ConfigException e) {
      EventCode.Words words = StartCodes.CONFIGURATION.words(e.getMessage());
      diagnosis.wrong(file.toString(), words.finding(), words.remedy());
    }
    return reports;
  }

  private void owner(Path ledger, Path directory, List<Path> inner) {
    BookkeeperCheck.owner(ledger, directory, inner, DirectoryUse.ENTRY_LOGS, diagnosis);
  }

  /** The folder of a ledger directory's logs in its fast directory, if it has one. */
  private static List<Path> logs(Path ledger, Path fast) {
    try {
      return HomeIdentity.read(ledger).stream()
          .map(home -> PlaceCheck.fast(fast, home.id()))
          .toList();
    } catch (IOException | StoreRefusedException reportedAlready) {
      return List.of();
    }
  }

  /** Refusals of a bookie's start; a running one renames and deletes entry logs. */
  private void places(Path ledger, Path fast) {
    if (bookie != null) {
      diagnosis.ok(
          ledger.toString(),
          "is in use by "
              + bookie
              + ", which is left alone; its entry logs' links aren't looked at here: 'headpond"
              + " verify --bookkeeper "
              + file
              + "' does that beside a bookie");
    }
    try {
      Path indexed = index.get(ledgers.indexOf(ledger));
      Optional<EventCode.Words> refusal = PlaceCheck.refusal(ledger, indexed, fast, bookie == null);
      if (refusal.isPresent()) {
        EventCode.Words words = refusal.get();
        boolean missing = words.code().equals(StartCodes.TIER_MISSING);
        diagnosis.wrong(
            fast.toString(),
            words.finding(),
            missing ? mount(ledger, fast, words) : words.remedy());
      } else {
        PlaceCheck.otherIndex(indexed).ifPresent(other -> unconverted(ledger, other));
      }
    } catch (IOException e) {
      diagnosis.wrong(
          fast.toString(),
          "a start fails, because a directory can't be read: " + e.getMessage(),
          "run as a bookie's user; if it is one, look at the device (dmesg)");
    }
  }

  /** The rest of a conversion that was interrupted, or of a start without one. */
  private void unconverted(Path ledger, Path other) {
    diagnosis.warning(
        ledger.toString(),
        "has the index of another ledger storage ("
            + other
            + " for one): entries that only this one leads to aren't found, and are deleted as"
            + " garbage",
        ledgers.size() == 1
            ? "stop the bookie, and run 'bookkeeper shell convert-to-db-storage' as its user: it takes"
                + " these files into the index, and deletes them"
            : "decommission the bookie, and start it empty: with several ledger directories"
                + " BookKeeper's conversion loses entries");
  }

  /** A fast directory that a ledger directory knows isn't made anew. */
  private static String mount(Path ledger, Path fast, EventCode.Words words) throws IOException {
    if (PlaceCheck.knows(ledger, fast)) {
      return BookieCodes.FAST_FOREIGN.remedy();
    }
    return Files.isDirectory(ledger) && !Files.exists(fast, LinkOption.NOFOLLOW_LINKS)
        ? words.remedy()
            + " New: "
            + DirectoryReport.make(
                fast, HomeOwner.userAndGroup(List.of(ledger), DirectoryUse.ENTRY_LOGS))
        : words.remedy();
  }

  private void room(Path fast, LedgerConfig config) {
    if (!Files.isDirectory(fast)) {
      return;
    }
    try {
      config
          .tooLarge(fast)
          .ifPresent(words -> diagnosis.warning(fast.toString(), words.finding(), words.remedy()));
    } catch (IOException reportedAlready) {
      return;
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
