// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The answer of a log directory's owner to the last {@link TierRequest} there: the file {@code
 * .headpond-answer}, replaced as the work goes on. Not forced.
 *
 * @param id of the request
 * @param text what an operator is told
 * @param segments that the tier still holds
 * @param bytes of those
 */
public record TierAnswer(UUID id, State state, String text, long segments, long bytes) {
  /** The file's name. */
  public static final String FILE_NAME = ".headpond-answer";

  private static final int BYTES_MAX = 64 << 10;

  /** Progress of the request. */
  public enum State {
    /** It was understood, and is being done. */
    RUNNING,
    DONE,
    /** Nothing was done. */
    REFUSED,
    /** It was tried. */
    FAILED;

    /** As the file has it. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** True if nothing more comes. */
    public boolean last() {
      return this != RUNNING;
    }
  }

  /** Without a word of what the tier holds. */
  public static TierAnswer of(final UUID id, final State state, final String text) {
    return new TierAnswer(id, state, text, 0, 0);
  }

  /** Replaces the last one. */
  public void put(final Path logDir) throws IOException {
    final Map<String, Object> values = new HashMap<>();
    values.put("format", TierRequest.FORMAT);
    values.put("id", id);
    values.put("state", state.key());
    values.put("text", text);
    values.put("segments", segments);
    values.put("bytes", bytes);
    final Path temporary = logDir.resolve(FILE_NAME + ".tmp");
    Files.writeString(temporary, PropertiesFile.text(new TreeMap<>(values)));
    Files.move(temporary, logDir.resolve(FILE_NAME), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Reads the last one.
   *
   * @return empty if there is none
   * @throws DamagedFileException if it can't be understood
   */
  public static Optional<TierAnswer> read(final Path logDir) throws IOException {
    final Path file = logDir.resolve(FILE_NAME);
    try {
      final Properties properties = PropertiesFile.read(file, BYTES_MAX);
      PropertiesFile.refuseFormat(file, properties, TierRequest.FORMAT);
      return Optional.of(
          new TierAnswer(
              UUID.fromString(properties.getProperty("id", "")),
              State.valueOf(properties.getProperty("state", "").toUpperCase(Locale.ROOT)),
              properties.getProperty("text", ""),
              Long.parseLong(properties.getProperty("segments", "0")),
              Long.parseLong(properties.getProperty("bytes", "0"))));
    } catch (final NoSuchFileException none) {
      return Optional.empty();
    } catch (final IllegalArgumentException e) {
      throw new DamagedFileException(file, e.getMessage());
    }
  }
}
