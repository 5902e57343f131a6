// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.pmem.Background;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SpareFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Links to {@link SpareFiles}, at home under temporary names. A segment's name becomes a second
 * name of such a link: a new inode, which a roll else waits for, costs ext4 ten times as much. Any
 * thread.
 */
final class SpareLinks {
  /** Threads of the log directories. */
  private final NameForces names;

  private final Background background;

  /** Of whom what fails here is said to be. */
  private final String threadName;

  /** Links of spares that are segments now, of rolls that are under way. */
  private final Map<PartitionDirectory, Path> used = new ConcurrentHashMap<>();

  SpareLinks(final NameForces names, final Background background, final String threadName) {
    this.names = names;
    this.background = background;
    this.threadName = threadName;
  }

  /**
   * Begins to make the link to a log's spare. What fails is left: the roll then makes the link.
   *
   * @param wanted is the file the log's spare still?
   * @param keep takes the link that was made; false: the file isn't the log's spare any more
   */
  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
  void begin(
      final PartitionDirectory partition,
      final Path file,
      final BooleanSupplier wanted,
      final Predicate<Path> keep) {
    try {
      names.run(partition, () -> link(partition, file, wanted, keep));
    } catch (final RuntimeException | Error e) { // no thread, no memory, or they are stopped
      background.failed(threadName, e);
    }
  }

  private static void link(
      final PartitionDirectory partition,
      final Path file,
      final BooleanSupplier wanted,
      final Predicate<Path> keep)
      throws IOException {
    final Path directory = partition.path();
    if (!wanted.getAsBoolean()
        || !directory.getParent().equals(partition.home.path())
        || NameLook.isLink(directory)) { // on another file system, or for others to sweep
      return;
    }
    final Path link = SpareFile.newLink(directory);
    boolean kept = false;
    try {
      Files.createSymbolicLink(link, file);
      kept = keep.test(link);
    } finally {
      if (!kept) {
        Files.deleteIfExists(link);
      }
    }
  }

  /**
   * Makes a link a segment's.
   *
   * @param link null: there is none
   * @return false: the name isn't there, and can't be had in this way
   * @throws FileAlreadyExistsException if the name means something else
   */
  boolean name(final PartitionDirectory partition, final Path name, final Path link)
      throws FileAlreadyExistsException {
    if (link == null) {
      return false;
    }
    try {
      Files.createLink(name, link); // unlike a rename it replaces none
      return true;
    } catch (final FileAlreadyExistsException e) {
      throw e;
    } catch (final UnsupportedOperationException | IOException cannot) {
      return false;
    } finally {
      discard(used.put(partition, link)); // of a roll that found its name taken
    }
  }

  /** A segment has its name: nobody waits any more, so the first name of its link can go. */
  @SuppressWarnings("FutureReturnValueIgnored") // the next start removes what is left
  void named(final PartitionDirectory partition) {
    final Path link = used.remove(partition);
    try {
      if (link != null) {
        names.run(partition, () -> Files.deleteIfExists(link));
      }
    } catch (final RuntimeException | Error e) { // as above
      background.failed(threadName, e);
    }
  }

  /** Deletes the first names of all links that are segments' now. */
  void discardUsed() {
    used.keySet().forEach(partition -> discard(used.remove(partition)));
  }

  /** Deletes a link; null: there is none. If it stays, the next start deletes it. */
  void discard(final Path link) {
    try {
      if (link != null) {
        Files.deleteIfExists(link);
      }
    } catch (final IOException e) {
      BackgroundCodes.FILE_KEPT.log(link, e);
    }
  }
}
