// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.WriteAccess;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checks of a ledger directory and its fast directory at a bookie's start. They write nothing,
 * so that they can be asked without a start. Any thread.
 */
public final class PlaceCheck {
  /** BookKeeper's own, below every ledger directory. */
  static final String CURRENT = "current";

  /** An entry log's name; its number is the first group. */
  private static final Pattern LOG_FILE = Pattern.compile("([0-9a-f]{1,8})\\.log");

  /** DbLedgerStorage's index of entries; it makes this before the first entry log. */
  static final String LOCATIONS = "locations";

  private static final int NAMES_SHOWN_MAX = 5;

  private PlaceCheck() {}

  /**
   * The refusal of a start with these directories. Safe beside a running bookie, but for the names
   * of its entry logs.
   *
   * @param ledgerDirectory absolute; one that isn't there is new
   * @param index the ledger directory's own of {@code indexDirectories}; by default the same
   * @param fastDirectory absolute
   * @param names whether to look at those names
   * @return empty: a start isn't refused for them
   * @throws IOException if a directory can't be read; a start fails with the same
   */
  public static Optional<Words> refusal(
      final Path ledgerDirectory, final Path index, final Path fastDirectory, final boolean names)
      throws IOException {
    try {
      refuseOtherIndex(ledgerDirectory, index.resolve(CURRENT));
      refuseUnwritable(ledgerDirectory);
      refuseUnwritable(ledgerDirectory.resolve(CURRENT));
      refuseUnwritable(fastDirectory);
      final Optional<HomeIdentity> home =
          PlaceIdentities.look(ledgerDirectory, fastDirectory).home();
      final UUID id = home.map(HomeIdentity::id).orElseGet(UUID::randomUUID);
      refuseUnwritable(fast(fastDirectory, id));
      if (names) {
        checkNames(ledgerDirectory, fastDirectory, id);
      }
      return Optional.empty();
    } catch (final StoreRefusedException e) {
      return Optional.of(e.words());
    } catch (final AccessDeniedException e) {
      return Optional.of(WriteAccess.refusal(e).words());
    }
  }

  /**
   * True if a fast directory that isn't there has, or had, entry logs of a ledger directory: a new
   * one in its place wouldn't have them.
   *
   * @throws IOException if it can't be told
   */
  public static boolean knows(final Path ledgerDirectory, final Path fastDirectory)
      throws IOException {
    try {
      final Optional<HomeIdentity> home = HomeIdentity.read(ledgerDirectory);
      if (home.isPresent()
          && home.get().tiers().stream().anyMatch(tier -> tier.path().equals(fastDirectory))) {
        return true;
      }
    } catch (final StoreRefusedException e) {
      throw new IOException(e.getMessage(), e);
    }
    for (final Path name : linked(ledgerDirectory)) {
      if (name.resolveSibling(Files.readSymbolicLink(name)).startsWith(fastDirectory)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The file in a ledger directory by which {@code recover} tells the next start that entry logs
   * were given up, whose locations must leave the index first.
   */
  public static Path forgotten(final Path ledgerDirectory) {
    return ledgerDirectory.resolve(".headpond-forgotten");
  }

  /** A bookie that can't make files in both can't make any new entry log. */
  static void refuseUnwritable(final Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      final Optional<StoreRefusedException> refusal = WriteAccess.refusal(directory);
      if (refusal.isPresent()) {
        throw refusal.get();
      }
    }
  }

  /**
   * Entry logs of another ledger storage: DbLedgerStorage would start with an empty index, not find
   * their entries, and delete them as garbage. A bookie that was once started so has an index, and
   * nothing in it: then the other storage's index tells.
   */
  static void refuseOtherIndex(final Path ledgerDirectory, final Path index) throws IOException {
    final List<Path> logs = logFiles(ledgerDirectory.resolve(CURRENT));
    if (logs.isEmpty()) {
      return;
    }
    final Path locations = index.resolve(LOCATIONS);
    if (!OtherStorage.isDatabase(locations)) {
      throw BookieCodes.INDEX_MISSING.refusal(ledgerDirectory, "there is none in " + locations);
    }
    if (OtherStorage.isEmpty(locations)) {
      logs.removeIf(log -> !Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS));
      final Optional<Path> other = OtherStorage.indexOf(logs, index);
      if (other.isPresent()) {
        throw BookieCodes.INDEX_MISSING.refusal(
            ledgerDirectory,
            locations + " is empty, and " + other.get() + " is another ledger storage's index");
      }
    }
  }

  /**
   * A ledger's index of another ledger storage. DbLedgerStorage doesn't find what it leads to,
   * unless that is garbage by now. Not every directory is looked at, so that it doesn't take long.
   *
   * @param index the ledger directory's own of {@code indexDirectories}; by default the same
   * @throws IOException if it can't be told
   */
  public static Optional<Path> otherIndex(final Path index) throws IOException {
    return OtherStorage.anyIndex(index.resolve(CURRENT));
  }

  /**
   * Where a ledger directory's entry logs are on the fast device.
   *
   * @param home the ledger directory's identifier
   */
  public static Path fast(final Path fastDirectory, final UUID home) {
    return HomeIdentity.segments(fastDirectory, home).resolve(CURRENT);
  }

  /** Every name at home must lead to a file: BookKeeper would take a dangling one for no log. */
  static void checkNames(final Path ledgerDirectory, final Path fastDirectory, final UUID home)
      throws IOException {
    final Path fast = fast(fastDirectory, home);
    final List<String> outside = new ArrayList<>();
    final List<String> lost = new ArrayList<>();
    for (final Path name : linked(ledgerDirectory)) {
      final Path target = name.resolveSibling(Files.readSymbolicLink(name));
      if (!target.equals(fast.resolve(name.getFileName()))) {
        outside.add(name + " -> " + target);
      } else if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
        lost.add(name + " -> " + target);
      }
    }
    if (!outside.isEmpty()) {
      throw StartCodes.LINKS_OUTSIDE.refusal(
          ledgerDirectory, shown(outside), BookieSettings.SOURCE, "--bookkeeper CONF");
    }
    if (!lost.isEmpty()) {
      throw StartCodes.SEGMENTS_MISSING.refusal(
          ledgerDirectory, shown(lost), "headpond recover CONF");
    }
  }

  private static String shown(final List<String> names) {
    return PlainText.first(NAMES_SHOWN_MAX, names);
  }

  /** The names at home that are links. */
  private static List<Path> linked(final Path ledgerDirectory) throws IOException {
    final List<Path> found = new ArrayList<>();
    for (final Path name : logFiles(ledgerDirectory.resolve(CURRENT))) {
      if (NameLook.isLink(name)) {
        found.add(name);
      }
    }
    return found;
  }

  /** The files of a directory with such names; none of one that isn't there. */
  static List<Path> named(final Path directory, final Predicate<String> wanted) throws IOException {
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(directory, path -> wanted.test(path.getFileName().toString()))) {
      stream.forEach(found::add);
    } catch (final NoSuchFileException newBookie) {
      return found;
    } catch (final DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /** The number of the entry log of that name; empty if it is none's. */
  static OptionalLong logNumber(final String fileName) {
    final Matcher matcher = LOG_FILE.matcher(fileName);
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1), 16))
        : OptionalLong.empty();
  }

  /** The files of a directory that are entry logs, or links to them; none if it isn't there. */
  static List<Path> logFiles(final Path directory) throws IOException {
    return named(directory, fileName -> logNumber(fileName).isPresent());
  }
}
