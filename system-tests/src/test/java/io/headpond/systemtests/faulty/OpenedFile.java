// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** One open file of the folder that lies below. Several threads. */
final class OpenedFile implements Closeable {

  private final RandomAccessFile file;
  private final FileChannel channel;
  final UnforcedBytes unforced;

  OpenedFile(Path path, UnforcedBytes unforced) throws IOException {
    this.file = new RandomAccessFile(path.toFile(), "rw");
    this.channel = file.getChannel();
    this.unforced = unforced;
  }

  /** Reads as much as there is; returns the number of bytes. */
  int read(byte[] bytes, long offset) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {}
    return buffer.position();
  }

  void write(byte[] bytes, long offset) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer, offset + buffer.position());
    }
    unforced.written(offset, bytes.length);
  }

  void setLength(long length) throws IOException {
    file.setLength(length);
    unforced.truncated(length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
