// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.pmem.UninterruptedForce;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;

/** A small file of {@link Properties} text, UTF-8, with the number of its format. */
final class PropertiesFile {
  private static final Set<StandardOpenOption> MADE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private PropertiesFile() {}

  /**
   * Reads one.
   *
   * @throws DamagedFileException if it is larger, or no such text
   */
  static Properties read(final Path file, final int bytesMax) throws IOException {
    final byte[] bytes;
    try (InputStream in =
        Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      bytes = in.readNBytes(bytesMax + 1);
    }
    if (bytes.length > bytesMax) {
      throw new DamagedFileException(file, "it is larger than " + bytesMax + " B");
    }
    final Properties properties = new Properties();
    try {
      final String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      properties.load(new StringReader(text));
    } catch (final CharacterCodingException e) {
      throw new DamagedFileException(file, "it is no UTF-8 text");
    } catch (final IllegalArgumentException e) {
      throw new DamagedFileException(file, e.getMessage());
    }
    return properties;
  }

  /** Refuses another format than the one that is known. */
  static void refuseFormat(final Path file, final Properties properties, final int known)
      throws DamagedFileException {
    final String format = properties.getProperty("format", "").trim();
    if (!format.equals(Integer.toString(known))) {
      throw new DamagedFileException(
          file, "its format is '" + format + "'; this version knows " + known);
    }
  }

  /** The text of one. */
  static String text(final SortedMap<String, Object> values) {
    final StringBuilder text = new StringBuilder();
    values.forEach((key, value) -> text.append(line(key, value.toString())));
    return text.toString();
  }

  /** Replaces a file durably: temporary name, force, rename, force of the directory. */
  static void replace(final Path file, final String text) throws IOException {
    final Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    final boolean isNew = !NameLook.leadsSomewhere(file);
    Files.deleteIfExists(temporary); // one that a kill left may be somebody else's
    try (FileChannel channel =
        isNew
            ? FileChannel.open(temporary, MADE)
            : FileChannel.open(temporary, MADE, FileOwner.OWNER_ONLY)) {
      final ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      if (!isNew) {
        FileOwner.keep(file, temporary);
      }
      UninterruptedForce.force(
          channel, () -> FileChannel.open(temporary, StandardOpenOption.WRITE), true);
    } catch (final IOException e) {
      throw NameLook.named(temporary, e);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    DirectoryForce.forceNow(file.getParent());
  }

  /** One entry. */
  static String line(final String key, final String value) {
    final StringBuilder escaped = new StringBuilder(key).append('=');
    for (int i = 0; i < value.length(); i++) {
      final char c = value.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        case ' ' -> escaped.append(i == 0 ? "\\ " : " ");
        default -> escaped.append(c);
      }
    }
    return escaped.append('\n').toString();
  }
}
