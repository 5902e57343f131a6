// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.JournalSettings;
import io.headpond.bookkeeper.Unsynced;
import io.headpond.bookkeeper.WriteAccess;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.logdir.BookieConfiguration;
import io.headpond.cli.logdir.BookieProperties;
import io.headpond.cli.logdir.EngineLock.Holder;
import io.headpond.pmem.Device;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistChoice;
import io.headpond.store.config.ConfigException;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks a bookie's {@code bk_server.conf} against the machine, before the bookie starts. */
final class BookkeeperCheck {
  /** A key of Pulsar's brokers: the file is that of a standalone, a broker with a bookie inside. */
  private static final String BROKER = "webServicePort";

  private final Path file;
  private final Diagnosis diagnosis;
  private final BookieProperties properties = new BookieProperties();
  private final List<DirectoryReport> directories = new ArrayList<>();

  private BookkeeperCheck(Path file, Diagnosis diagnosis) {
    this.file = file;
    this.diagnosis = diagnosis;
  }

  /** Checks it and the journal directories that it names. */
  static List<DirectoryReport> run(Path file, Diagnosis diagnosis) {
    BookkeeperCheck check = new BookkeeperCheck(file, diagnosis);
    try (Reader reader = BookieConfiguration.reader(file)) {
      check.properties.load(reader);
    } catch (NoSuchFileException e) {
      diagnosis.wrong(file.toString(), "isn't there", "name the bookie's bk_server.conf");
      return check.directories;
    } catch (IOException | IllegalArgumentException e) {
      diagnosis.wrong(file.toString(), "can't be read: " + e, "name the bookie's bk_server.conf");
      return check.directories;
    }
    check.check();
    return check.directories;
  }

  private void check() {
    for (String key : properties.repeated()) {
      diagnosis.wrong(
          file.toString(),
          key
              + " is given more than once: BookKeeper takes the first value, and of a list all;"
              + " what is said here is of the last",
          "leave one line of it");
    }
    boolean ours = BookieSettings.namesProvider(properties::getProperty);
    Optional<JournalSettings> settings = settings();
    List<Path> ledgers = paths("ledgerDirectories", "");
    List<Path> named = new ArrayList<>(journals());
    named.addAll(ledgers);
    if (diagnosis.silent(named)) {
      diagnosis.leftOut(file.toString());
      return;
    }
    directories(settings, ledgers);
    if (ours) {
      diagnosis.ok(file.toString(), "journalChannelProvider is Headpond's");
    } else {
      withoutPlugIn();
    }
    if (ours || LedgersCheck.ours(properties)) {
      unknownKeys();
    }
    Optional<Holder> bookie = running(ledgers);
    directories.addAll(
        new LedgersCheck(
                file, properties, ledgers, paths("indexDirectories", ""), bookie, diagnosis)
            .run());
  }

  /** The bookie that has the ledgers open. */
  private Optional<Holder> running(List<Path> ledgers) {
    try {
      return ledgers.isEmpty() ? Optional.empty() : BookieConfiguration.read(file).running();
    } catch (CommandFailure | IOException e) {
      diagnosis.warning(
          file.toString(),
          "can't tell whether a bookie runs: " + e.getMessage(),
          "run as the bookie's user");
      return Optional.empty();
    }
  }

  private Optional<JournalSettings> settings() {
    Map<String, String> values = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(JournalSettings.PREFIX)) {
        values.put(key, properties.getProperty(key).strip());
      }
    }
    try {
      return Optional.of(JournalSettings.parse(values));
    } catch (ConfigException e) {
      configuration(e);
      return Optional.empty();
    }
  }

  private void unknownKeys() {
    try {
      BookieSettings.refuseUnknown(properties.stringPropertyNames().iterator());
    } catch (ConfigException e) {
      configuration(e);
    }
  }

  private void configuration(ConfigException e) {
    EventCode.Words words = StartCodes.CONFIGURATION.words(e.getMessage());
    diagnosis.wrong(file.toString(), words.finding(), words.remedy());
  }

  /** A setting that was right with the plug-in outlives it. */
  private void withoutPlugIn() {
    String subject = file.toString();
    String found = "journalChannelProvider isn't Headpond's: journals are written by BookKeeper";
    if (BookieSettings.syncsData(properties::getProperty)) {
      diagnosis.advice(
          subject, found, "to use Headpond: journalChannelProvider=" + BookieSettings.PROVIDER);
    } else {
      diagnosis.wrong(
          subject,
          found
              + ", and with journalSyncData=false it acknowledges entries that are only in the"
              + " page cache: a power cut loses them",
          "set journalSyncData=true");
    }
  }

  private List<Path> paths(String key, String fallback) {
    String value = properties.getProperty(key, "").strip();
    if (value.isEmpty()) {
      value = properties.getProperty(fallback, "").strip();
    }
    return Arrays.stream(value.split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(name -> Path.of(name).toAbsolutePath().normalize())
        .toList();
  }

  private List<Path> journals() {
    return paths("journalDirectories", "journalDirectory");
  }

  private void directories(Optional<JournalSettings> settings, List<Path> ledgers) {
    List<Path> journals = journals();
    if (properties.containsKey(BROKER)) {
      diagnosis.advice(
          file.toString(),
          "a standalone Pulsar keeps journal and ledgers in its --bookkeeper-dir, by default"
              + " data/standalone/bookkeeper",
          "ask 'headpond doctor DIRECTORY' what the device of that directory is good for");
      return;
    }
    if (journals.isEmpty()) {
      diagnosis.wrong(
          file.toString(),
          "names no journal directory: BookKeeper's default is /tmp/bk-txn",
          "set journalDirectories to a directory on the fast device");
      return;
    }
    Optional<Path> cookie =
        ledgers.stream().map(BookkeeperCheck::cookie).filter(Files::exists).findFirst();
    for (Path journal : journals) {
      if (settings.isPresent() && BookieSettings.namesProvider(properties::getProperty)) {
        journal(journal, settings.get());
      }
      missing(journal, cookie, ledgers);
      directories.add(DirectoryReport.of(journal, DirectoryUse.JOURNAL, diagnosis));
      if (!ledgers.isEmpty()) {
        Path current = journal.resolve("current");
        owner(ledgers.get(0), journal, List.of(current), DirectoryUse.JOURNAL, diagnosis);
      }
    }
  }

  /** The journal of a bookie that has run isn't made anew: its cookie and its entries are there. */
  private void missing(Path journal, Optional<Path> cookie, List<Path> ledgers) {
    if (Files.exists(journal, LinkOption.NOFOLLOW_LINKS)) {
      cookie.ifPresent(found -> withoutCookie(journal, found));
      return;
    }
    diagnosis.wrong(
        journal.toString(),
        "isn't there"
            + cookie.map(found -> ", and this bookie has run: it has " + found).orElse(""),
        cookie.isPresent()
            ? "mount its device, or correct journalDirectories: a bookie that has run keeps its"
                + " paths. If it is lost for good: headpond recover "
                + file
            : "mount it, or: "
                + DirectoryReport.make(
                    journal, HomeOwner.userAndGroup(ledgers, DirectoryUse.JOURNAL)));
  }

  private static Path cookie(Path directory) {
    return directory.resolve("current").resolve("VERSION");
  }

  /** A folder below an empty mount point, most likely: BookKeeper's refusal names no directory. */
  private void withoutCookie(Path journal, Path found) {
    if (Files.isDirectory(journal) && Files.notExists(cookie(journal))) {
      diagnosis.warning(
          journal.toString(),
          "has no "
              + cookie(journal)
              + ", but this bookie has run: it has "
              + found
              + ". BookKeeper refuses a start with such a directory (InvalidCookieException)",
          "mount its device, or correct journalDirectories. If it is lost for good: headpond"
              + " recover "
              + file);
    }
  }

  /** The bookie's user needs the right to a directory, and to those in it that are there. */
  static void owner(
      Path ledger, Path directory, List<Path> inner, DirectoryUse use, Diagnosis diagnosis) {
    HomeOwner.withoutRight(ledger, directory, inner)
        .ifPresent(
            user ->
                user.warn(
                    directory, BookieCodes.NO_RIGHT.words(directory, user.name()), use, diagnosis));
  }

  /** The reasons for which Headpond's journal would refuse to begin. */
  private void journal(Path journal, JournalSettings settings) {
    if (!Files.isDirectory(journal)) {
      return; // which is said below
    }
    try {
      Optional<EventCode.Words> refusal =
          WriteAccess.refusal(journal).map(StoreRefusedException::words);
      if (refusal.isEmpty() && !BookieSettings.syncsData(properties::getProperty)) {
        Device device = Device.detect(journal);
        PersistChoice choice = Persist.decide(device);
        refusal = Unsynced.refusal(journal, device, choice, settings);
        if (refusal.isEmpty()) {
          Unsynced.accepted(journal, device, choice)
              .ifPresent(
                  words -> diagnosis.warning(journal.toString(), words.finding(), words.remedy()));
        }
      }
      refusal.ifPresent(
          words -> diagnosis.wrong(journal.toString(), words.finding(), words.remedy()));
    } catch (IOException saidBelow) {
      return;
    }
  }
}
