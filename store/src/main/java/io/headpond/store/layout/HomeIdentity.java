// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The identity of a log directory, and the tier directories that may hold its segments: the file
 * {@code .headpond} in the log directory.
 */
public final class HomeIdentity {
  /** The file in a log directory that holds space for the engine's own files. */
  public static final String BALLAST = ".headpond-ballast";

  /** Longest part of a tier file's name that is taken from the topic; names end at 255 bytes. */
  private static final int PARTITION_BYTES_MAX = 180;

  private static final String KIND = "home";
  private static final String JOINED_KEY = "joined.ms";
  private static final String SHUTDOWNS_KEY = "shutdowns.";
  private static final Pattern TIER_KEY = Pattern.compile("tier\\.([^.]+)\\.(\\d+)");
  private static final Pattern TIER_VALUE = Pattern.compile("(\\S+) (.+)", Pattern.DOTALL);

  private final Path logDir;
  private final Identity identity;

  private HomeIdentity(final Path logDir, final Identity identity) {
    this.logDir = logDir;
    this.identity = identity;
  }

  /**
   * One tier directory that may hold segments of this home.
   *
   * @param tier the tier's name
   * @param id the directory's identifier
   * @param path where it was mounted
   */
  public record TierRef(String tier, UUID id, Path path) {
    /** The directory of this home's segments in it. */
    public Path segments(final UUID home) {
      return HomeIdentity.segments(path, home);
    }

    /** The directory of this home's orphans in it. */
    public Path quarantine(final UUID home) {
      return HomeIdentity.quarantine(path).resolve(home.toString());
    }

    /**
     * A name for a new file of this home in it, never used before.
     *
     * @param name the segment's name in the log directory
     */
    public Path newFile(final UUID home, final Path name) {
      String partition = name.getParent().getFileName().toString();
      while (partition.getBytes(StandardCharsets.UTF_8).length > PARTITION_BYTES_MAX) {
        partition = partition.substring(0, partition.offsetByCodePoints(partition.length(), -1));
      }
      return segments(home)
          .resolve(partition + "." + name.getFileName() + "." + SegmentMove.randomHex());
    }
  }

  /**
   * Reads it.
   *
   * @return empty if the log directory has none, that is, Headpond never wrote there
   * @throws StoreRefusedException if the file is damaged or of a version that can't be read
   */
  public static Optional<HomeIdentity> read(final Path logDir) throws IOException {
    final Optional<HomeIdentity> read =
        Identity.read(logDir, KIND).map(found -> new HomeIdentity(logDir, found));
    read.ifPresent(HomeIdentity::joinedMs); // or refused here, where every check of a start is
    return read;
  }

  /**
   * The directory of a home's segments in a tier directory.
   *
   * @param tier the tier directory, which may have no identity yet
   */
  public static Path segments(final Path tier, final UUID home) {
    return segments(tier).resolve(home.toString());
  }

  /** The directory of all homes' segments in a tier directory, one folder for each. */
  public static Path segments(final Path tier) {
    return tier.resolve("segments");
  }

  /** The directory of all homes' orphans in a tier directory, one folder for each. */
  public static Path quarantine(final Path tier) {
    return tier.resolve("quarantine");
  }

  /** A new one, not written yet, that doesn't say when it was made. */
  public static HomeIdentity create(final Path logDir) {
    return new HomeIdentity(logDir, Identity.create(logDir, KIND));
  }

  /**
   * A new one, not written yet.
   *
   * @param joinedMs as {@link #joinedMs} gives it
   */
  public static HomeIdentity create(final Path logDir, final long joinedMs) {
    final HomeIdentity made = create(logDir);
    made.identity.properties.setProperty(JOINED_KEY, Long.toString(joinedMs));
    return made;
  }

  /**
   * The time when Headpond came to the log directory, milliseconds since 1970. What was written
   * before doesn't move up by itself.
   *
   * @return empty if it isn't known: a version wrote the file that didn't say it
   */
  public OptionalLong joinedMs() {
    final String text = identity.properties.getProperty(JOINED_KEY);
    try {
      return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.trim()));
    } catch (final NumberFormatException e) {
      throw StartCodes.IDENTITY_DAMAGED.refusal(identity.file, JOINED_KEY + ": no number", e);
    }
  }

  /** Identifies the log directory for good. */
  public UUID id() {
    return identity.id;
  }

  /** The tier directories that may hold its segments. */
  public List<TierRef> tiers() {
    final FileSystem fileSystem = logDir.getFileSystem();
    final List<TierRef> refs = new ArrayList<>();
    for (final String key : new TreeSet<>(identity.properties.stringPropertyNames())) {
      final Matcher name = TIER_KEY.matcher(key);
      final Matcher value = TIER_VALUE.matcher(identity.properties.getProperty(key));
      if (name.matches()) {
        if (!value.matches()) {
          throw StartCodes.IDENTITY_DAMAGED.refusal(identity.file, key + ": not 'identifier path'");
        }
        try {
          refs.add(
              new TierRef(
                  name.group(1),
                  UUID.fromString(value.group(1)),
                  fileSystem.getPath(value.group(2))));
        } catch (final IllegalArgumentException e) {
          throw StartCodes.IDENTITY_DAMAGED.refusal(identity.file, key + ": " + e.getMessage(), e);
        }
      }
    }
    return List.copyOf(refs);
  }

  /**
   * The {@link ShutdownCounts} of a tier directory when its segments of this home were last known
   * to be whole.
   *
   * @param tierDirectory its identifier
   * @return empty if nothing counted then
   */
  public String shutdowns(final UUID tierDirectory) {
    return identity.properties.getProperty(SHUTDOWNS_KEY + tierDirectory, "");
  }

  /** Notes such counts, to be written by {@link #writeTiers}. */
  public void noteShutdowns(final UUID tierDirectory, final String counts) {
    identity.properties.setProperty(SHUTDOWNS_KEY + tierDirectory, counts);
  }

  /**
   * Replaces the tier directories and writes the file durably. Counts of shutdowns of those that
   * are gone go, too.
   */
  public void writeTiers(final List<TierRef> refs) throws IOException {
    final Set<String> counted =
        refs.stream().map(ref -> SHUTDOWNS_KEY + ref.id()).collect(Collectors.toSet());
    identity
        .properties
        .stringPropertyNames()
        .forEach(
            key -> {
              if (TIER_KEY.matcher(key).matches()
                  || key.startsWith(SHUTDOWNS_KEY) && !counted.contains(key)) {
                identity.properties.remove(key);
              }
            });
    int index = 0;
    for (final TierRef ref : refs) {
      identity.properties.setProperty(
          "tier." + ref.tier() + "." + index++, ref.id() + " " + ref.path());
    }
    identity.write();
  }

  /** Removes the file durably: the log directory has nothing to do with Headpond any more. */
  public void remove() throws IOException {
    Files.deleteIfExists(identity.file);
    DirectoryForce.forceNow(logDir);
  }
}
