// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The engine's log directories, found again in whatever spelling a path has.
 *
 * <p>A path that spells a log directory as the configuration does costs no I/O. Any other spelling
 * (relative, through a link, with {@code ..}) is compared by real path, each time anew: a directory
 * may be made, mounted or linked anew at any time. Paths are the built-in provider's. Immutable;
 * any thread.
 */
final class LogDirs {
  private final List<Path> configured;

  /**
   * Touches nothing.
   *
   * @param configured absolute, normalised
   */
  LogDirs(final List<Path> configured) {
    this.configured = configured;
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
    final Path real = real(directory);
    if (real != null) {
      for (final Path logDir : configured) {
        if (real.equals(real(logDir))) {
          return logDir;
        }
      }
    }
    return null;
  }

  /**
   * The one spelling of a file in a partition directory.
   *
   * @return {@code LOGDIR/partition/file} with the log directory as configured; null if it is no
   *     such path
   */
  Path fileInPartition(final Path path) {
    final Path absolute = path.toAbsolutePath();
    final Path partition = named(absolute.getParent());
    if (partition == null) {
      return null;
    }
    final Path logDir = of(partition.getParent());
    return logDir == null
        ? null
        : logDir.resolve(partition.getFileName()).resolve(absolute.getFileName());
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

  /** Is it a log directory, or something in one? May cost I/O. */
  boolean cover(final Path path) {
    final Path absolute = path.toAbsolutePath();
    Path real = null;
    for (Path p = absolute; p != null && real == null; p = p.getParent()) {
      real = real(p);
    }
    final Path normal = absolute.normalize();
    for (final Path logDir : configured) {
      final Path realLogDir = real(logDir);
      if (normal.startsWith(logDir)
          || (real != null && realLogDir != null && real.startsWith(realLogDir))) {
        return true;
      }
    }
    return false;
  }

  /** A directory whose last name is a name, not {@code .} or {@code ..}; null if there is none. */
  private static Path named(final Path directory) {
    if (directory == null || directory.getFileName() == null) {
      return null;
    }
    final String name = directory.getFileName().toString();
    return name.equals(".") || name.equals("..") ? real(directory) : directory;
  }

  private static Path real(final Path path) {
    try {
      return path.toRealPath();
    } catch (final IOException notThere) {
      return null;
    }
  }
}
