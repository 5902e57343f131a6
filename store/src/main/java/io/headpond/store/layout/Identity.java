// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The small file {@code .headpond} in each tier directory and each log directory: format version,
 * kind, identifier. {@link Properties} text, UTF-8; keys that this version doesn't know are kept.
 *
 * <p>Version rule: a file of version N is read by the versions N-1, N and N+1 (rolling upgrade and
 * downgrade), else refused.
 */
public final class Identity {
  /** The file's name. */
  public static final String FILE_NAME = ".headpond";

  /** The version that this code writes. */
  static final int FORMAT = 1;

  /** An identity file is a page of text; more is not one of ours. */
  private static final int BYTES_MAX = 1 << 20;

  final Path file;
  final UUID id;
  final Properties properties;

  private Identity(final Path file, final UUID id, final Properties properties) {
    this.file = file;
    this.id = id;
    this.properties = properties;
  }

  /** A new identity, not written yet. */
  static Identity create(final Path directory, final String kind) {
    final Properties properties = new Properties();
    final UUID id = UUID.randomUUID();
    properties.setProperty("format", Integer.toString(FORMAT));
    properties.setProperty("kind", kind);
    properties.setProperty("id", id.toString());
    return new Identity(directory.resolve(FILE_NAME), id, properties);
  }

  /**
   * Reads a directory's identity.
   *
   * @return empty if there is none
   * @throws StoreRefusedException if it is damaged, of another kind, or of a version that this code
   *     may not read
   * @throws IOException if it can't be read
   */
  static Optional<Identity> read(final Path directory, final String kind) throws IOException {
    final Path file = directory.resolve(FILE_NAME);
    final Properties properties = new Properties();
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw damaged(file, "it is larger than " + BYTES_MAX + " B", null);
      }
      try (Reader reader = new StringReader(Files.readString(file, StandardCharsets.UTF_8))) {
        properties.load(reader);
      }
      checkFormat(file, properties.getProperty("format", "").trim());
      if (!kind.equals(properties.getProperty("kind"))) {
        throw damaged(
            file, "its kind is " + properties.getProperty("kind") + ", not " + kind, null);
      }
      final UUID id = UUID.fromString(properties.getProperty("id", "").trim());
      return Optional.of(new Identity(file, id, properties));
    } catch (final NoSuchFileException none) {
      return Optional.empty();
    } catch (final CharacterCodingException e) {
      throw damaged(file, "it is no UTF-8 text", e);
    } catch (final NumberFormatException e) {
      throw damaged(file, "its format is no number", e);
    } catch (final IllegalArgumentException e) {
      throw damaged(file, e.getMessage(), e);
    } catch (final IOException e) {
      throw NameLook.named(file, e);
    }
  }

  private static void checkFormat(final Path file, final String text) {
    final int format = Integer.parseInt(text);
    if (Math.abs(format - FORMAT) > 1) {
      throw StartCodes.IDENTITY_FORMAT.refusal(file, format, FORMAT - 1, FORMAT + 1);
    }
  }

  private static StoreRefusedException damaged(
      final Path file, final String reason, final Throwable cause) {
    return StartCodes.IDENTITY_DAMAGED.refusal(file, reason, cause);
  }

  /** Writes the file durably: temporary name, force, rename, force of the directory. */
  void write() throws IOException {
    final StringWriter text = new StringWriter();
    new TreeMap<>(properties)
        .forEach(
            (key, value) -> text.append(PropertiesFile.line(key.toString(), value.toString())));
    PropertiesFile.replace(file, text.toString());
  }
}
