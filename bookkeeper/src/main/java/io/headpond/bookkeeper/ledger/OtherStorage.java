// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The index of BookKeeper's InterleavedLedgerStorage and SortedLedgerStorage: a file for each
 * ledger, {@code current/XX/YY/LEDGER.idx}. A conversion to DbLedgerStorage deletes each file that
 * it has taken over, and DbLedgerStorage never looks at one. Any thread.
 */
final class OtherStorage {
  /** Length of the header before an entry log's first entry. */
  private static final int HEADER_BYTES = 1024;

  /** An entry's length, and the ledger it begins with. */
  private static final int ENTRY_START_BYTES = Integer.BYTES + Long.BYTES;

  /** Entries of one log that are looked at: its first ledgers may be deleted by now. */
  private static final int ENTRIES_MAX = 1000;

  /** Directories of a converted bookie that are looked at; it may have 65,792 empty ones. */
  private static final int DIRECTORIES_MAX = 4096;

  private OtherStorage() {}

  /** True if RocksDB has made a database there. */
  static boolean isDatabase(final Path directory) {
    return Files.exists(directory.resolve("CURRENT"));
  }

  /** True if a database of RocksDB has never been given anything. */
  static boolean isEmpty(final Path database) throws IOException {
    try (DirectoryStream<Path> content = Files.newDirectoryStream(database, "*.{sst,log}")) {
      for (final Path file : content) {
        if (Files.size(file) > 0) {
          return false;
        }
      }
      return true;
    } catch (final NoSuchFileException compactedMeanwhile) {
      return false;
    }
  }

  /**
   * The index file of a ledger that has entries in one of these logs.
   *
   * @param index BookKeeper's folder of the ledger directory's index
   */
  static Optional<Path> indexOf(final List<Path> logs, final Path index) throws IOException {
    for (final Path log : logs) {
      final Optional<Path> found = indexOf(log, index);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> indexOf(final Path log, final Path index) throws IOException {
    final ByteBuffer start = ByteBuffer.allocate(ENTRY_START_BYTES);
    try (FileChannel channel = FileChannel.open(log)) {
      long at = HEADER_BYTES;
      for (int entry = 0; entry < ENTRIES_MAX; entry++) {
        start.clear();
        while (start.hasRemaining() && channel.read(start, at + start.position()) >= 0) {}
        if (start.hasRemaining() || start.getInt(0) <= 0) {
          break;
        }
        final Path file = index.resolve(fileName(start.getLong(Integer.BYTES)));
        if (hasContent(file)) {
          return Optional.of(file);
        }
        at += Integer.BYTES + start.getInt(0);
      }
      return Optional.empty();
    } catch (final NoSuchFileException deletedMeanwhile) {
      return Optional.empty();
    }
  }

  private static String fileName(final long ledger) {
    return Long.toHexString(ledger >> Byte.SIZE & 0xff)
        + '/'
        + Long.toHexString(ledger & 0xff)
        + '/'
        + Long.toHexString(ledger)
        + ".idx";
  }

  /**
   * An index file of any ledger, if there is one in the first directories.
   *
   * @param index BookKeeper's folder of the ledger directory's index
   */
  static Optional<Path> anyIndex(final Path index) throws IOException {
    int directories = 0;
    for (final Path upper : PlaceCheck.named(index, OtherStorage::isByte)) {
      for (final Path lower : PlaceCheck.named(upper, OtherStorage::isByte)) {
        for (final Path file : PlaceCheck.named(lower, name -> name.endsWith(".idx"))) {
          if (hasContent(file)) {
            return Optional.of(file);
          }
        }
        if (++directories == DIRECTORIES_MAX) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isByte(final String name) {
    return name.matches("[0-9a-f]{1,2}");
  }

  private static boolean hasContent(final Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) > 0;
  }
}
