// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file, a directory or a link of a simulated device, whatever its name is; of a file, what it
 * holds, and what of that is durable. Belongs to whoever holds the {@link ModelDisk}'s monitor.
 */
final class ModelNode {
  /** A cache line. */
  static final int LINE_BYTES = 64;

  final ModelDevice device;
  final Path link;
  FileChannel content;
  final Map<String, ModelNode> entries = new TreeMap<>();
  final Map<String, ModelNode> durableEntries = new TreeMap<>();
  byte[] durableBytes = new byte[0];

  /** What wasn't written back in time: a position and a length. */
  private long[] late = {0, 0};

  /**
   * Did a force of it fail? The kernel takes what it couldn't write for written, so that the next
   * force succeeds and makes nothing durable.
   */
  private boolean forgetful;

  private final ForgottenBytes forgotten = new ForgottenBytes();

  /** How many forces failed. Each channel that was open then tells of it once: fsync(2). */
  int failures;

  private ModelNode(final ModelDevice device, final Path link, final FileChannel content) {
    this.device = device;
    this.link = link;
    this.content = content;
  }

  static ModelNode directory(final ModelDevice device) {
    return new ModelNode(device, null, null);
  }

  static ModelNode link(final ModelDevice device, final Path target) {
    return new ModelNode(device, target, null);
  }

  static ModelNode file(final ModelDevice device, final FileChannel content) {
    return new ModelNode(device, null, content);
  }

  boolean isFile() {
    return content != null;
  }

  /** All that is written from now on is new to the kernel. */
  void forgive() {
    forgetful = false;
    forgotten.clear();
  }

  /** The same for it and all below it. */
  void forgiveAll() {
    forgive();
    entries.values().forEach(ModelNode::forgiveAll);
  }

  /** A force of all of it failed. */
  void forget() {
    forgetful = true;
  }

  /** A force of [{@code from}, {@code to}) failed. */
  void forget(final long from, final long to) {
    forgotten.add(from, to);
  }

  /** True if a force of it succeeds and does nothing. */
  boolean forgetful() {
    return forgetful;
  }

  void put(final long position, final ByteBuffer bytes) throws IOException {
    uninterrupted(
        () -> {
          while (bytes.hasRemaining()) {
            content.write(bytes, position + bytes.position());
          }
          return null;
        });
  }

  private interface OnContent<T> {
    T does() throws IOException;
  }

  /** An interrupt would close the channel of a file's content, which is the test's own. */
  private static <T> T uninterrupted(final OnContent<T> action) throws IOException {
    final boolean interrupted = Thread.interrupted();
    try {
      return action.does();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What a file holds now. */
  byte[] current() {
    try {
      final ByteBuffer all = ByteBuffer.allocate((int) (long) uninterrupted(() -> content.size()));
      read(all, 0);
      return all.hasRemaining() ? Arrays.copyOf(all.array(), all.position()) : all.array();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(final ByteBuffer into, final long from) {
    final int start = into.position();
    try {
      uninterrupted(
          () -> {
            int read = 0;
            while (into.hasRemaining() && read >= 0) {
              read = content.read(into, from + into.position() - start);
            }
            return null;
          });
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The sizes of the files that it is or has below it, but for names that begin so. */
  long bytes(final String leftOut) {
    try {
      long bytes = isFile() ? uninterrupted(() -> content.size()) : 0;
      for (final Map.Entry<String, ModelNode> below : entries.entrySet()) {
        bytes += below.getKey().startsWith(leftOut) ? 0 : below.getValue().bytes(leftOut);
      }
      return bytes;
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What everybody sees of it, and below it. */
  void see(final Path path, final ModelImage image) {
    image.add(path, link, isFile() ? current() : null);
    entries.forEach((name, below) -> below.see(path.resolve(name), image));
  }

  /** All cache lines that a range touches reach persistent memory. */
  void writeBack(final long position, final int length) {
    writeBack(new long[] {position, length});
  }

  /** The same for the range before, and this one is left for the next call. */
  void writeBackLate(final long position, final int length) {
    final long[] earlier = late;
    late = new long[] {position, length};
    writeBack(earlier);
  }

  /** Past the file's durable end nothing is durable, whatever was written back there. */
  private void writeBack(final long[] lines) {
    final long from = lines[0] - lines[0] % LINE_BYTES;
    final long to = (lines[0] + lines[1] + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    final long end = Math.min(to, durableBytes.length);
    if (from < end) {
      read(ByteBuffer.wrap(durableBytes, (int) from, (int) (end - from)), from);
    }
  }

  /** All of a file is durable, but for what the kernel takes for written. */
  void force() {
    final byte[] before = durableBytes;
    durableBytes = current();
    forgotten.keep(before, durableBytes);
  }

  /** A range of a file is durable, and with it that the file is so long. */
  void forceRange(final long from, final int length) {
    final int to = (int) from + length;
    if (to > durableBytes.length) {
      durableBytes = Arrays.copyOf(durableBytes, to);
    }
    forgotten.remove(from, to);
    read(ByteBuffer.wrap(durableBytes, (int) from, length), from);
  }

  /** It is durable that a file was cut. */
  void cutDurably(final long size) {
    if (size < durableBytes.length) {
      durableBytes = Arrays.copyOf(durableBytes, (int) size);
    }
  }
}
