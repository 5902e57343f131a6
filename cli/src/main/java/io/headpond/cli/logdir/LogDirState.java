// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.claim.OrphanSweep;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.TierIdentity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The state of a log directory: the engine runs there, or how it was left. */
enum LogDirState {
  /** A broker holds the log directory's lock. */
  RUNNING,
  /** The broker said goodbye: every segment ends where its last batch ends. */
  STOPPED,
  /** Killed, crashed or never started: the last segments may have a tail that Kafka cuts off. */
  NOT_CLEANLY_STOPPED;

  private static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";

  /** Kafka formats a log directory, Headpond identifies it, and either locks it. */
  private static final Set<String> SIGNS =
      Set.of("meta.properties", ".headpond", EngineLock.ENGINE_FILE);

  private static final Pattern PARTITION = Pattern.compile(".+-\\d+(\\..+)?");

  /** A segment's name begins with the 20 digits of its first offset. */
  private static final String SEGMENTS = "[0-9]".repeat(20) + ".*";

  /** What helps a link of the log directory that leads nowhere. */
  static final String HIDDEN_REMEDY =
      "mount the disk that it leads to, or remove the link if that is lost for good";

  /** As scripts see it. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Looks at a log directory's lock and marker files. */
  static LogDirState of(Path logDir) throws IOException {
    if (EngineLock.holder(logDir.resolve(EngineLock.ENGINE_FILE)).isPresent()) {
      return RUNNING;
    }
    return Files.exists(logDir.resolve(CLEAN_SHUTDOWN_FILE)) ? STOPPED : NOT_CLEANLY_STOPPED;
  }

  /** In words, with the broker's process id if it is known. */
  String words(Optional<EngineLock.Holder> holder) {
    return switch (this) {
      case RUNNING -> "broker running" + holder.map(who -> " (" + who + ")").orElse("");
      case STOPPED -> "broker stopped cleanly";
      case NOT_CLEANLY_STOPPED -> "broker not running, and not stopped cleanly";
    };
  }

  /** The identity of a log directory whose tiers a command is to {@code use}. */
  static HomeIdentity identity(Path logDir, String use) throws IOException {
    return HomeIdentity.read(logDir)
        .orElseThrow(
            () ->
                new CommandFailure(
                    logDir + " has no identity file (.headpond)",
                    "Headpond never wrote here, or it was drained, or its last tier forgotten; there is"
                        + " no tier to "
                        + use));
  }

  /** The real path of a log directory given on the command line, whose file system answers. */
  static Path logDir(Path given) throws IOException {
    DeviceAnswer.requireReads(given);
    if (!Files.exists(given)) {
      throw new CommandFailure(
          given + ": no such directory", "give a directory of the broker's log.dirs, mounted");
    }
    if (!Files.isDirectory(given)) {
      throw new CommandFailure(
          given + ": not a directory", "give a directory of the broker's log.dirs");
    }
    if (isTier(given)) {
      throw new CommandFailure(
          given + " is a tier's directory, not a log directory",
          "give a directory of the broker's log.dirs");
    }
    if (!isLogDir(given)) {
      throw new CommandFailure(
          given + ": no log directory: Kafka never wrote anything here",
          "give a directory of the broker's log.dirs");
    }
    return given.toRealPath();
  }

  /**
   * Refuses to part a log directory from a tier while a partition directory's disk isn't mounted:
   * its links, which nobody sees then, may lead there.
   *
   * @throws CommandFailure if there is one; nothing was changed
   */
  static void refuseHidden(Path logDir) throws IOException {
    Optional<Path> hidden = OrphanSweep.linkToNowhere(logDir);
    if (hidden.isPresent()) {
      throw new CommandFailure(
          hidden.get() + " leads nowhere, and a partition behind it may need files of the tier",
          HIDDEN_REMEDY + " (nothing was changed)");
    }
  }

  private static boolean isTier(Path directory) throws IOException {
    try {
      return TierIdentity.read(directory).isPresent();
    } catch (StoreRefusedException otherKindOrDamaged) {
      return false;
    }
  }

  /**
   * True if there is something that a broker, or Headpond, leaves in a log directory. An empty
   * directory may become one.
   */
  private static boolean isLogDir(Path directory) throws IOException {
    boolean empty = true;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        empty = false;
        String name = entry.getFileName().toString();
        if (SIGNS.contains(name) || PARTITION.matcher(name).matches() && hasSegment(entry)) {
          return true;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return empty;
  }

  private static boolean hasSegment(Path partition) throws IOException {
    if (!Files.isDirectory(partition)) {
      return false;
    }
    try (DirectoryStream<Path> segments = Files.newDirectoryStream(partition, SEGMENTS)) {
      return segments.iterator().hasNext();
    } catch (NoSuchFileException deletedMeanwhile) {
      return true;
    }
  }
}
