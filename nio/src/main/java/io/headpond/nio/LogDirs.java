// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engine's log directories, found again in whatever spelling a path has.
 *
 * <p>A path that spells a log directory as the configuration does costs no I/O, and neither does
 * what lies in a partition directory spelled so. Any other spelling (relative, through a link, with
 * {@code ..}) is compared by real path. That of a log directory is asked for each time anew until
 * the log directory is owned: it may be made, mounted or linked anew until then. Paths are the
 * built-in provider's. Any thread.
 */
final class LogDirs {
  private final List<Path> configured;

  /** The real paths of those that are owned. */
  private final Map<Path, Path> owned = new ConcurrentHashMap<>();

  /**
   * Touches nothing.
   *
   * @param configured absolute, normalised
   */
  LogDirs(final List<Path> configured) {
    this.configured = configured;
  }

  /**
   * The store owns a log directory: it goes by the real path that it has now, until the end.
   *
   * @param logDir as configured
   */
  void owned(final Path logDir) {
    final Path real = real(logDir);
    if (real != null) {
      owned.putIfAbsent(logDir, real);
    }
  }

  /**
   * The log directory that a directory is.
   *
   * @param directory absolute, or null
   * @return as configured; null if it is none
   */
  Path of(final Path directory) {
    if (directory == null) {
      return null;
    }
    for (final Path logDir : configured) {
      if (logDir.equals(directory)) {
        return logDir;
      }
    }
    if (isEntry(directory)) {
      return null;
    }
    final Path real = real(directory);
    if (real != null) {
      for (final Path logDir : configured) {
        if (real.equals(realLogDir(logDir))) {
          return logDir;
        }
      }
    }
    return null;
  }

  /** Is it, by its spelling, an entry of a log directory? Such a one is no log directory itself. */
  private boolean isEntry(final Path directory) {
    final Path parent = directory.getParent();
    if (parent == null || isDots(directory.getFileName().toString())) {
      return false;
    }
    for (final Path logDir : configured) {
      if (logDir.equals(parent)) {
        return true;
      }
    }
    return false;
  }

  private Path realLogDir(final Path logDir) {
    final Path known = owned.get(logDir);
    return known == null ? real(logDir) : known;
  }

  private static boolean isDots(final String name) {
    return name.equals(".") || name.equals("..");
  }

  /**
   * The one spelling of a file in a partition directory.
   *
   * @return {@code LOGDIR/partition/file} with the log directory as configured; null if it is no
   *     such path
   */
  Path fileInPartition(final Path path) {
    final Path absolute = path.toAbsolutePath();
    final Path partition = absolute.getParent();
    final Path spelled = partition == null ? null : entryAsNamed(partition);
    final Path real = spelled == null && partition != null ? real(partition) : null;
    final Path found = real == null ? spelled : entryAsNamed(real);
    return found == null ? null : found.resolve(absolute.getFileName());
  }

  /**
   * The one spelling of an entry of a log directory.
   *
   * @return {@code LOGDIR/entry} with the log directory as configured; null if it is no such path
   */
  Path entry(final Path path) {
    final Path absolute = path.toAbsolutePath();
    final Path logDir = of(absolute.getParent());
    return logDir == null ? null : logDir.resolve(absolute.getFileName());
  }

  /**
   * The path of a directory that may have been renamed since.
   *
   * @param fileKey what tells it from the one that has the path now
   * @return null if it is neither there nor an entry of a log directory
   */
  Path present(final Path directory, final Object fileKey) {
    if (is(directory, fileKey)) {
      return directory;
    }
    for (final Path logDir : configured) {
      try {
        for (final Path entry : NameLook.list(logDir)) {
          if (is(entry, fileKey)) {
            return entry;
          }
        }
      } catch (final IOException unread) {
        continue; // then nothing in it is open either
      }
    }
    return null;
  }

  private static boolean is(final Path directory, final Object fileKey) {
    try {
      return Files.readAttributes(directory, BasicFileAttributes.class).fileKey().equals(fileKey);
    } catch (final IOException notThere) {
      return false;
    }
  }

  /**
   * The log directory that a path is, or lies in. Costs no I/O if the path spells one as the
   * configuration does.
   *
   * @return as configured; null if there is none
   */
  Path covering(final Path path) {
    final Path absolute = path.toAbsolutePath();
    final Path normal = absolute.normalize();
    Path found = null;
    for (final Path logDir : configured) {
      if (normal.startsWith(logDir) && (found == null || logDir.startsWith(found))) {
        found = logDir;
      }
    }
    if (found != null) {
      return found;
    }
    Path real = null;
    for (Path p = absolute; p != null && real == null; p = p.getParent()) {
      real = real(p);
    }
    for (final Path logDir : configured) {
      final Path realLogDir = realLogDir(logDir);
      if (real != null && realLogDir != null && real.startsWith(realLogDir)) {
        return logDir;
      }
    }
    return null;
  }

  private Path entryAsNamed(final Path path) {
    final Path name = path.getFileName();
    return name == null || isDots(name.toString()) ? null : entry(path);
  }

  private static Path real(final Path path) {
    try {
      return path.toRealPath();
    } catch (final IOException notThere) {
      return null;
    }
  }
}
