// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An operator's request about one tier to the process that owns a log directory: the file {@code
 * .headpond-request} in the log directory, which the owner takes away when it has read it. The
 * {@link TierAnswer} is the file beside it.
 *
 * <p>Design note: a file needs no port, works in every JVM and through a container's mounts, and
 * who may write it is what the file system says. Not forced: it is worth nothing after a crash.
 *
 * @param id tells its answer from those of others
 * @param tier the tier's name
 */
public record TierRequest(UUID id, Action action, String tier) {
  /** The file's name. */
  public static final String FILE_NAME = ".headpond-request";

  /** The version that this code writes, and the only one that it reads. */
  static final int FORMAT = 1;

  private static final int BYTES_MAX = 4 << 10;
  private static final String ATTRIBUTES = "unix:uid,mode,isRegularFile";
  private static final int OTHERS_WRITE = 0022;

  /** The action requested. */
  public enum Action {
    /** Use a tier that isn't used. */
    ADD,
    /** Empty a tier, and use it no more. */
    REMOVE,
    /** Examine the directories of a tier again whose devices failed. */
    RETRY;

    /** As the file and the command call it. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A new request. */
  public static TierRequest of(final Action action, final String tier) {
    return new TierRequest(UUID.randomUUID(), action, tier);
  }

  /**
   * Puts it into a log directory, whole, where no other one waits.
   *
   * @throws FileAlreadyExistsException if one does
   */
  public void put(final Path logDir) throws IOException {
    final Path temporary = logDir.resolve(FILE_NAME + "." + id);
    Files.deleteIfExists(temporary);
    try {
      Files.createFile(temporary);
      // Whatever this user's mask is: the broker may be another one.
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      Files.writeString(
          temporary,
          PropertiesFile.text(
              new TreeMap<>(
                  Map.of("format", FORMAT, "id", id, "action", action.key(), "tier", tier))));
      Files.createLink(logDir.resolve(FILE_NAME), temporary); // unlike a rename it replaces none
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Takes it back, if it wasn't taken yet. */
  public void withdraw(final Path logDir) throws IOException {
    try {
      if (read(logDir).filter(this::equals).isPresent()) {
        Files.deleteIfExists(logDir.resolve(FILE_NAME));
      }
    } catch (final DamagedFileException other) {
      return;
    }
  }

  /** True if a request waits in a log directory, whatever it is. */
  public static boolean waits(final Path logDir) throws IOException {
    return NameLook.exists(logDir.resolve(FILE_NAME));
  }

  /**
   * Reads the one that waits in a log directory.
   *
   * @return empty if none does
   * @throws DamagedFileException if it can't be understood, or somebody wrote it who doesn't own
   *     the log directory
   */
  public static Optional<TierRequest> read(final Path logDir) throws IOException {
    final Path file = logDir.resolve(FILE_NAME);
    try {
      refuseStranger(logDir, file);
      final Properties properties = PropertiesFile.read(file, BYTES_MAX);
      PropertiesFile.refuseFormat(file, properties, FORMAT);
      return Optional.of(
          new TierRequest(
              UUID.fromString(properties.getProperty("id", "")),
              Action.valueOf(properties.getProperty("action", "").toUpperCase(Locale.ROOT)),
              properties.getProperty("tier", "")));
    } catch (final NoSuchFileException none) {
      return Optional.empty();
    } catch (final IllegalArgumentException e) {
      throw new DamagedFileException(file, e.getMessage());
    }
  }

  /** A request moves data and gives devices away: only who may do that by hand may ask for it. */
  private static void refuseStranger(final Path logDir, final Path file) throws IOException {
    final Map<String, Object> its =
        Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    if (!Boolean.TRUE.equals(its.get("isRegularFile"))) {
      throw new DamagedFileException(file, "it is no regular file");
    }
    final int uid = ((Number) its.get("uid")).intValue();
    final int owner = ((Number) Files.getAttribute(logDir, "unix:uid")).intValue();
    if (uid != owner && uid != 0) {
      throw new DamagedFileException(
          file, "user " + uid + " wrote it, who owns neither the log directory nor the machine");
    }
    if ((((Number) its.get("mode")).intValue() & OTHERS_WRITE) != 0) {
      throw new DamagedFileException(file, "others may write to it");
    }
  }
}
