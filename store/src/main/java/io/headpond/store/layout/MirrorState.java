// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.Properties;

/**
 * The state of a log directory's mirrors, for whoever finds a tier lost: the file {@code
 * .headpond-mirror}. The file's own time is the one until which everything that was acknowledged is
 * in the mirrors.
 *
 * @param complete are all segments of the mirrored tiers in it, up to that time?
 * @param acknowledged was nothing acknowledged that isn't in it?
 * @param untilMs milliseconds since 1970
 */
public record MirrorState(boolean complete, boolean acknowledged, long untilMs) {
  /** The file's name. */
  public static final String FILE = ".headpond-mirror";

  private static final String COMPLETE = "complete";
  private static final String ACKNOWLEDGED = "acknowledged";

  /**
   * Reads it.
   *
   * @return empty if there is none, or none that can be understood
   */
  public static Optional<MirrorState> read(final Path logDir) throws IOException {
    final Path file = logDir.resolve(FILE);
    final Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
      return Optional.of(
          new MirrorState(
              flag(properties, COMPLETE),
              flag(properties, ACKNOWLEDGED),
              Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis()));
    } catch (final NoSuchFileException none) {
      return Optional.empty();
    } catch (final IllegalArgumentException damaged) {
      return Optional.empty();
    }
  }

  /**
   * Writes it durably, in place: home may be full, and these few bytes have a block already.
   *
   * @throws IOException if it can't; what the file says then isn't known
   */
  public void write(final Path logDir) throws IOException {
    final Path file = logDir.resolve(FILE);
    final String text =
        "# Headpond: mirrors of tiers; the file's time is the one up to which they hold everything\n"
            + line(COMPLETE, complete)
            + line(ACKNOWLEDGED, acknowledged);
    Files.writeString(
        file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    touch(logDir, untilMs);
    DirectoryForce.forceNow(file);
  }

  /** Always as long: what is written over needs no new block. */
  private static String line(final String key, final boolean value) {
    return key + "=" + (value ? "true " : "false") + "\n";
  }

  private static boolean flag(final Properties properties, final String key) {
    return Boolean.parseBoolean(properties.getProperty(key, "").trim());
  }

  /** Moves the time on. Not forced: who finds an older one loses nothing. */
  public static void touch(final Path logDir, final long untilMs) throws IOException {
    Files.setLastModifiedTime(logDir.resolve(FILE), FileTime.fromMillis(untilMs));
  }
}
