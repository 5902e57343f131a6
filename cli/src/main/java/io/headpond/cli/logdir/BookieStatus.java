// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.ledger.LedgerConfig;
import io.headpond.bookkeeper.ledger.LedgerKeys;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import io.headpond.pmem.Device;
import io.headpond.pmem.Persist;
import io.headpond.store.config.ConfigException;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The status of a bookie's directories: the places of its journals and entry logs. */
final class BookieStatus {
  /** The share that the storage takes where no capacity is configured. */
  private static final double CAPACITY_SHARE = 0.98;

  /**
   * The device of a directory; for JSON. What couldn't be read is null, and so is what isn't looked
   * at: of a ledger directory everything but its file system.
   *
   * @param durability {@code durable}, {@code emulated}, {@code volatile}
   * @param explanation why
   */
  record DeviceJson(
      String fileSystem,
      String blockDevice,
      String durability,
      String explanation,
      long fileSystemFreeBytes,
      long fileSystemBytes) {}

  /** One file; for JSON. */
  record FileJson(String name, long bytes) {}

  /**
   * A journal directory; for JSON.
   *
   * @param problem why it can't be read; null if it can
   * @param plugIn is it written by Headpond?
   * @param backEnd how Headpond writes it; null if it doesn't, or its device isn't known
   */
  record JournalJson(
      String path,
      String problem,
      boolean plugIn,
      String backEnd,
      DeviceJson device,
      long bytes,
      List<FileJson> files) {}

  /**
   * One entry log; for JSON.
   *
   * @param bytes its length; -1: its name leads nowhere
   * @param place {@code fast} or {@code home}
   * @param file where its bytes are
   */
  record EntryLogJson(String name, long bytes, String place, String file) {}

  /**
   * A fast directory; for JSON.
   *
   * @param problem why it can't be used; null if it can
   * @param capacityBytes what entry logs may use of it; null if its storage isn't configured
   * @param threshold the used share that migration steers to; negative: none moves
   */
  record FastJson(
      String path,
      String problem,
      DeviceJson device,
      Long capacityBytes,
      Double threshold,
      long usedBytes,
      long quarantineFiles,
      long quarantineBytes) {}

  /**
   * A ledger directory; for JSON.
   *
   * @param problem why it can't be read; null if it can
   * @param unknown links that lead to no fast directory of it
   * @param dangling names that lead nowhere
   */
  record LedgersJson(
      String path,
      String problem,
      DeviceJson device,
      long fastBytes,
      long homeBytes,
      long unknown,
      long dangling,
      List<FastJson> fast,
      List<EntryLogJson> entryLogs) {}

  /**
   * All of it; for JSON.
   *
   * @param pid of the bookie that runs on it; null if none does, or its number can't be seen
   */
  record ResultJson(
      boolean ok,
      boolean running,
      Long pid,
      List<JournalJson> journals,
      List<LedgersJson> ledgers) {}

  private final BookieConfiguration configuration;
  private final Optional<LedgerConfig> tiered;

  BookieStatus(BookieConfiguration configuration) {
    this.configuration = configuration;
    this.tiered =
        configuration.value("ledgerStorageClass").equals(BookieSettings.LEDGER_STORAGE)
            ? Optional.of(tiered(configuration))
            : Optional.empty();
  }

  private static LedgerConfig tiered(BookieConfiguration configuration) {
    try {
      List<Path> ledgers = configuration.ledgers().stream().map(LedgerPlace::ledgers).toList();
      return LedgerConfig.parse(configuration.keys(LedgerKeys.PREFIX), ledgers);
    } catch (ConfigException e) {
      throw new CommandFailure(e.getMessage(), "headpond doctor --bookkeeper says more", e);
    }
  }

  /** Looks at everything. */
  ResultJson all() throws IOException {
    Optional<EngineLock.Holder> holder = configuration.running();
    List<JournalJson> journals = new ArrayList<>();
    for (Path journal : configuration.journals()) {
      journals.add(journal(journal));
    }
    List<LedgersJson> ledgers = new ArrayList<>();
    for (LedgerPlace place : configuration.ledgers()) {
      ledgers.add(ledgers(place));
    }
    boolean ok =
        journals.stream().allMatch(journal -> journal.problem() == null)
            && ledgers.stream().allMatch(BookieStatus::whole);
    Long pid =
        holder.isPresent() && holder.get().pid().isPresent()
            ? holder.get().pid().getAsLong()
            : null;
    return new ResultJson(ok, holder.isPresent(), pid, journals, ledgers);
  }

  private static boolean whole(LedgersJson ledgers) {
    return ledgers.problem() == null
        && ledgers.dangling() == 0
        && ledgers.unknown() == 0
        && ledgers.fast().stream().allMatch(fast -> fast.problem() == null);
  }

  private JournalJson journal(Path directory) {
    boolean plugIn = BookieSettings.namesProvider(configuration::value);
    try {
      Optional<String> silence = DeviceAnswer.silence(directory);
      if (silence.isPresent()) {
        throw new IOException("it " + silence.get() + "; " + DeviceAnswer.FROZEN);
      }
      List<FileJson> files = new ArrayList<>();
      for (Path file : JournalDirCheck.journals(directory)) {
        files.add(new FileJson(file.getFileName().toString(), Files.size(file)));
      }
      return new JournalJson(
          directory.toString(),
          null,
          plugIn,
          plugIn ? backEnd(directory) : null,
          device(directory),
          files.stream().mapToLong(FileJson::bytes).sum(),
          files);
    } catch (IOException e) {
      return new JournalJson(directory.toString(), reason(e), plugIn, null, null, 0, List.of());
    }
  }

  private String backEnd(Path directory) throws IOException {
    Device device = TierUse.device(directory);
    return device == null ? null : Persist.choose(device).key();
  }

  private static String reason(IOException e) {
    return Finding.unreadable(Path.of(""), e).detail();
  }

  private static DeviceJson fileSystem(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return new DeviceJson(
        store.type(), null, null, null, store.getUsableSpace(), store.getTotalSpace());
  }

  private static DeviceJson device(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    Device device = TierUse.device(directory);
    return new DeviceJson(
        store.type(),
        device == null ? null : device.blockDevice().orElse(null),
        device == null ? null : device.durability().name().toLowerCase(Locale.ROOT),
        device == null ? "not writable by this user, so not looked at" : device.explanation(),
        store.getUsableSpace(),
        store.getTotalSpace());
  }

  private LedgersJson ledgers(LedgerPlace place) {
    List<Finding> wrong = new ArrayList<>();
    try {
      if (!Files.isDirectory(place.ledgers())) {
        throw new NoSuchFileException(place.ledgers().toString());
      }
      KnownTiers known = KnownTiers.examinedLedgers(place.ledgers(), wrong::add);
      List<EntryLogJson> logs = new ArrayList<>();
      long unknown = 0;
      for (LogDirScan.Entry log : place.entryLogs()) {
        unknown += log.linked() && known.tierOf(log.target()).isEmpty() ? 1 : 0;
        logs.add(
            new EntryLogJson(
                log.name().getFileName().toString(),
                log.bytes(),
                log.linked() ? "fast" : "home",
                log.file().toString()));
      }
      List<FastJson> fast = new ArrayList<>();
      for (TierRef tier : known.tiers()) {
        fast.add(fast(tier));
      }
      return new LedgersJson(
          place.ledgers().toString(),
          known.home().isEmpty() && !wrong.isEmpty() ? wrong.get(0).detail() : null,
          fileSystem(place.ledgers()),
          bytes(logs, "fast"),
          bytes(logs, "home"),
          unknown,
          logs.stream().filter(log -> log.bytes() < 0).count(),
          fast,
          logs);
    } catch (IOException e) {
      return new LedgersJson(
          place.ledgers().toString(), reason(e), null, 0, 0, 0, 0, List.of(), List.of());
    }
  }

  private static long bytes(List<EntryLogJson> logs, String place) {
    return logs.stream()
        .filter(log -> log.place().equals(place) && log.bytes() > 0)
        .mapToLong(EntryLogJson::bytes)
        .sum();
  }

  private FastJson fast(TierRef tier) throws IOException {
    TierUse use = TierUse.of(tier);
    if (use.problem() != null) {
      return new FastJson(use.path(), use.problem(), null, null, null, 0, 0, 0);
    }
    DeviceJson device =
        new DeviceJson(
            use.fileSystem(),
            use.blockDevice(),
            use.durability(),
            use.explanation(),
            use.fileSystemFreeBytes(),
            use.fileSystemBytes());
    long all = use.fileSystemFreeBytes() + use.segmentBytes();
    return new FastJson(
        use.path(),
        null,
        device,
        tiered.map(c -> c.capacityBytes().orElse((long) (CAPACITY_SHARE * all))).orElse(null),
        tiered.map(LedgerConfig::threshold).orElse(null),
        use.segmentBytes(),
        use.quarantineFiles(),
        use.quarantineBytes());
  }
}
