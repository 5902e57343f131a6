// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.home;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * Space at home that is really allocated, to be given back step by step when home has no more: a
 * file in the log directory. What was given back lets the engine's own files go on, whose writes
 * don't pass through Headpond. One thread at a time.
 *
 * <p>Design note: the file holds random bytes, because zeros may be compressed or left out. It
 * shrinks from its end, and each cut is forced: ext4 hands a block out again only after the
 * transaction that freed it. A file that can't be cut, as one that a start as root has left, is
 * given back all at once, and made anew.
 */
final class Ballast {
  /** The number of parts that it is given back in. */
  static final int STEPS = 8;

  /** The largest share of home's file system: one of so many parts. */
  static final int SHARE = 50;

  private static final int BUFFER_BYTES = 64 << 10;

  private final Path file;
  private final DirectoryForce names;
  private final long wantedBytes;
  private final long stepBytes;
  private long heldBytes;

  /**
   * Finds what an earlier process left.
   *
   * @param configuredBytes 0: none
   * @param homeBytes the size of home's file system
   * @param names is told if the directory can't be forced
   */
  Ballast(
      final Path logDir,
      final long configuredBytes,
      final long homeBytes,
      final DirectoryForce names)
      throws IOException {
    this.names = names;
    file = logDir.resolve(HomeIdentity.BALLAST);
    final long most = Math.min(configuredBytes, homeBytes / SHARE);
    stepBytes = most / STEPS / BUFFER_BYTES * BUFFER_BYTES;
    wantedBytes = stepBytes * STEPS;
    look();
  }

  /** Looks at what is there: who needs room may have removed the file, or cut it. */
  void look() throws IOException {
    heldBytes = Files.exists(file) ? Files.size(file) : 0;
  }

  /** Gives back what is more than wanted, since the configuration changed. */
  void trim() throws IOException {
    if (heldBytes > wantedBytes) {
      cut(wantedBytes);
      if (wantedBytes == 0) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Bytes that it is to have. */
  long wantedBytes() {
    return wantedBytes;
  }

  /** Bytes that it has. */
  long heldBytes() {
    return heldBytes;
  }

  /**
   * Gives a step back.
   *
   * @return bytes given back; 0: it has none
   */
  long giveBack() throws IOException {
    look();
    final long before = heldBytes;
    final long bytes = Math.min(before, stepBytes);
    if (bytes > 0) {
      cut(before - bytes);
    }
    return before - heldBytes;
  }

  private void cut(final long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
      heldBytes = bytes;
      channel.force(true);
    } catch (final NoSuchFileException removed) {
      heldBytes = 0; // by somebody who needed the room
    } catch (final IOException uncut) {
      remove(); // another user's, or on a Btrfs at its quota, which refuses a cut
    }
  }

  /** For this the directory is enough. It makes room also where a force has failed before. */
  void remove() throws IOException {
    Files.deleteIfExists(file);
    heldBytes = 0;
    names.forceAgain(file.getParent());
  }

  /** Takes a step of what is missing; what it took of one that fails it gives back. */
  void take() throws IOException {
    look();
    if (heldBytes > 0 && !Files.isWritable(file)) {
      remove();
    }
    final long until = Math.min(wantedBytes, heldBytes + stepBytes);
    final byte[] bytes = new byte[BUFFER_BYTES];
    final SplittableRandom random = new SplittableRandom();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      boolean whole = false;
      try {
        for (long at = heldBytes; at < until; ) {
          random.nextBytes(bytes);
          final int length = (int) Math.min(bytes.length, until - at);
          at += channel.write(ByteBuffer.wrap(bytes, 0, length), at);
        }
        channel.force(true);
        whole = true;
      } finally {
        if (!whole && channel.isOpen()) {
          channel.truncate(heldBytes);
        }
      }
      heldBytes = until;
    }
  }
}
