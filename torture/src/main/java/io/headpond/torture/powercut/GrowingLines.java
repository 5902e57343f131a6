// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The complete lines of a file that grows. Each is read once, however often somebody looks: a
 * report of thousands is looked at hundreds of times a second. One thread.
 */
final class GrowingLines {
  private final Path file;
  private final Charset charset;
  private String[] lines = new String[256];
  private int count;
  private long position;

  /**
   * @param file may be missing; only grows
   * @param charset in which a line's end is one byte
   */
  GrowingLines(Path file, Charset charset) {
    this.file = file;
    this.charset = charset;
  }

  /** Those that are there now; what was returned before doesn't change. */
  List<String> now() throws IOException {
    if (Files.exists(file)) {
      byte[] more = more();
      int end = more.length;
      while (end > 0 && more[end - 1] != '\n') {
        end--;
      }
      new String(more, 0, end, charset).lines().forEach(this::add);
      position += end;
    }
    // What is added later comes behind it, or into another array.
    return Collections.unmodifiableList(Arrays.asList(lines).subList(0, count));
  }

  private void add(String line) {
    if (count == lines.length) {
      lines = Arrays.copyOf(lines, 2 * count);
    }
    lines[count++] = line;
  }

  private byte[] more() throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(channel.size() - position));
      while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) >= 0) {
        // Until what was there is read.
      }
      byte[] read = new byte[buffer.flip().remaining()];
      buffer.get(read);
      return read;
    }
  }
}
