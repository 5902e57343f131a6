// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of mirrors: plain files of a log directory, beside its partition directories, one for
 * each segment in a mirrored tier.
 *
 * <p>A mirror has the 16 digits at the end of its tier file's name, which are never used again. So
 * it is found by the segment's link, whatever the segment is called by then. It is never
 * authoritative while that link leads somewhere.
 */
public final class MirrorName {
  private static final String PREFIX = "headpond-";
  private static final String LAGGING = ".mirror";
  private static final String WHOLE = ".whole";
  private static final String KEY = "[0-9a-f]{16}";
  private static final Pattern NAME =
      Pattern.compile(PREFIX + "(" + KEY + ")(?:\\" + LAGGING + "|\\" + WHOLE + ")");
  private static final Pattern TIER_FILE = Pattern.compile(".+\\.(" + KEY + ")", Pattern.DOTALL);

  private MirrorName() {}

  /** The key that a tier file shares with its mirror; null: it has none, and no mirror. */
  public static String ofTierFile(final Path file) {
    return key(TIER_FILE, file);
  }

  /** The key of a mirror; null: the file is none. */
  public static String ofMirror(final Path file) {
    return key(NAME, file);
  }

  private static String key(final Pattern pattern, final Path file) {
    final Matcher matcher = pattern.matcher(file.getFileName().toString());
    return matcher.matches() ? matcher.group(1) : null;
  }

  /** True for the mirror of a segment that was sealed, which holds all of it. */
  public static boolean isWhole(final Path mirror) {
    return mirror.getFileName().toString().endsWith(WHOLE);
  }

  /** The mirror that may be behind. */
  public static Path lagging(final Path logDir, final String key) {
    return logDir.resolve(PREFIX + key + LAGGING);
  }

  /** The mirror that holds all of its segment, and was forced before it got that name. */
  public static Path whole(final Path logDir, final String key) {
    return logDir.resolve(PREFIX + key + WHOLE);
  }
}
