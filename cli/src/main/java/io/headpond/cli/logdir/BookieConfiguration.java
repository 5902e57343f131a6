// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.regex.Pattern;

/** The directories that a bookie's {@code bk_server.conf} names, and who uses them. */
public final class BookieConfiguration {
  /** BookKeeper's, below every journal and ledger directory. */
  static final String CURRENT = "current";

  private static final String REMEDY = "name the bookie's bk_server.conf";

  /** BookKeeper's own default. */
  private static final String JOURNAL = "/tmp/bk-txn";

  /** RocksDB holds these while a bookie runs: of the ledgers and of the entries' locations. */
  private static final List<String> INDEX_LOCKS = List.of("ledgers/LOCK", "locations/LOCK");

  private static final Pattern ENTRY_LOG = Pattern.compile("[0-9a-f]{1,8}\\.log");

  private final Path file;
  private final BookieProperties properties = new BookieProperties();

  /**
   * The directories of one part of a bookie's ledgers and of their index.
   *
   * @param ledgers one of {@code ledgerDirectories}
   * @param index the same one of {@code indexDirectories}; the same directory by default
   */
  record LedgerPlace(Path ledgers, Path index) {
    /** The lock files of its index that are there: they are if a bookie ever ran. */
    List<Path> locks() {
      return INDEX_LOCKS.stream()
          .map(index.resolve(CURRENT)::resolve)
          .filter(Files::exists)
          .toList();
    }

    /** The names of the entry logs, in the order of their numbers. */
    List<LogDirScan.Entry> entryLogs() throws IOException {
      List<LogDirScan.Entry> logs =
          new ArrayList<>(
              LogDirScan.entries(
                  ledgers.resolve(CURRENT), name -> ENTRY_LOG.matcher(name).matches()));
      logs.sort(Comparator.comparingLong(log -> number(log.name())));
      return logs;
    }
  }

  private BookieConfiguration(Path file) {
    this.file = file;
  }

  /** Reads the file. */
  public static BookieConfiguration read(Path file) {
    BookieConfiguration configuration = new BookieConfiguration(file);
    try (Reader reader = reader(file)) {
      configuration.properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new CommandFailure(file + " isn't there", REMEDY, e);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(file + " can't be read: " + e, REMEDY, e);
    }
    return configuration;
  }

  /** True if a file is a bookie's configuration, by its keys. */
  public static boolean isOne(Path file) throws IOException {
    Properties read = new Properties();
    try (Reader reader = reader(file)) {
      read.load(reader);
    } catch (IllegalArgumentException noProperties) {
      return false;
    }
    return read.stringPropertyNames().stream()
        .anyMatch(key -> key.startsWith("journalDirector") || key.equals("ledgerDirectories"));
  }

  /** Reads a file as BookKeeper (4.16 to 4.18) does, which takes each byte for a character. */
  public static Reader reader(Path file) throws IOException {
    return Files.newBufferedReader(file, StandardCharsets.ISO_8859_1);
  }

  /** The ledger directories; at least one. */
  List<LedgerPlace> ledgers() {
    List<Path> ledgers = paths("ledgerDirectories");
    List<Path> index = paths("indexDirectories");
    if (ledgers.isEmpty()) {
      throw new CommandFailure(file + " names no ledgerDirectories", REMEDY);
    }
    if (!index.isEmpty() && index.size() != ledgers.size()) {
      throw new CommandFailure(
          file + " names as many indexDirectories as " + index.size(),
          "it needs one for each of " + ledgers.size() + " ledgerDirectories");
    }
    List<LedgerPlace> places = new ArrayList<>();
    for (int i = 0; i < ledgers.size(); i++) {
      places.add(new LedgerPlace(ledgers.get(i), index.isEmpty() ? ledgers.get(i) : index.get(i)));
    }
    return places;
  }

  /** The journal directories; at least one. */
  List<Path> journals() {
    List<Path> journals = paths("journalDirectories");
    if (journals.isEmpty()) {
      journals = paths("journalDirectory");
    }
    return journals.isEmpty() ? List.of(Path.of(JOURNAL)) : journals;
  }

  /** The files in which checkpoints say where the replay of the journal at {@code index} begins. */
  List<Path> marks(int index) {
    String name = journals().size() == 1 ? "lastMark" : "lastMark." + index;
    return ledgers().stream().map(place -> place.ledgers().resolve(CURRENT).resolve(name)).toList();
  }

  private List<Path> paths(String key) {
    return Arrays.stream(value(key).split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(name -> Path.of(name).toAbsolutePath().normalize())
        .toList();
  }

  /**
   * A key's value, without blanks around it; empty if it isn't set. Nobody can tell which
   * directories are meant by a key that is given twice.
   */
  String value(String key) {
    if (properties.repeated().contains(key)) {
      throw new CommandFailure(
          file + " gives " + key + " more than once",
          "BookKeeper takes the first value, or all directories: leave one line of it");
    }
    return properties.getProperty(key, "").strip();
  }

  /** All keys that begin with a prefix. */
  Map<String, String> keys(String prefix) {
    Map<String, String> found = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(prefix)) {
        found.put(key, value(key));
      }
    }
    return found;
  }

  /** The number in the name of an entry log or a journal, which is hexadecimal. */
  static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')), 16);
  }

  /** The bookie that runs on these directories, if one does. */
  public Optional<EngineLock.Holder> running() throws IOException {
    for (LedgerPlace place : ledgers()) {
      for (Path lock : place.locks()) {
        Optional<EngineLock.Holder> holder = EngineLock.holder(lock);
        if (holder.isPresent()) {
          return holder;
        }
      }
    }
    return journalWriter();
  }

  /** The bookie that writes one of these journals, where Linux shows it. */
  Optional<EngineLock.Holder> journalWriter() {
    for (Path journal : journals()) {
      OptionalLong pid = JournalWriter.pid(journal.resolve(CURRENT));
      if (pid.isPresent()) {
        return Optional.of(new EngineLock.Holder(pid));
      }
    }
    return Optional.empty();
  }
}
