// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * Moves one segment's bytes to another file and makes that file the authoritative one.
 *
 * <p>The steps, each of which leaves a readable log if the machine stops after it: copy to a
 * temporary name with a checksum, forcing in steps; force the copy; compare its length and, read
 * back, its checksum; give it the source's mode, owner and modification time; see that the name
 * still resolves to the source; rename over the name; force the directory. Deleting the source is
 * the caller's, and only after that.
 *
 * <p>The caller holds the segment's lock, or the engine is not running.
 */
public final class SegmentMove {
  /** Ends every temporary name of a move; no engine takes it for one of its own. */
  public static final String TEMPORARY_SUFFIX = ".move";

  private static final String TEMPORARY_PREFIX = "headpond-";
  private static final int BUFFER_BYTES = 1 << 20;

  /** One force of more would stall a slow disk's other users for long. */
  private static final long FORCE_STEP_BYTES = 16L << 20;

  private SegmentMove() {}

  /** Is told of progress; an exception ends the move and leaves the source authoritative. */
  @FunctionalInterface
  public interface Progress {
    /**
     * More bytes were copied.
     *
     * @param bytes since the last call
     */
    void copied(long bytes) throws IOException;
  }

  /** Is it the name of an unfinished move? Such a file is never authoritative. */
  public static boolean isTemporary(final String fileName) {
    return fileName.startsWith(TEMPORARY_PREFIX) && fileName.endsWith(TEMPORARY_SUFFIX);
  }

  /**
   * Brings a segment home: afterwards its name is a plain file.
   *
   * @param name the segment's link in the log directory
   * @param source the tier file that it resolves to
   * @param length bytes of the segment, from the start of the source
   * @param progress is told what was copied
   * @throws IOException if anything failed; the link and the source are untouched then
   */
  public static void home(
      final Path name, final Path source, final long length, final Progress progress)
      throws IOException {
    homeUnforced(name, source, length, progress);
    DirectoryForce.forceNow(name.getParent());
  }

  /** As {@link #home}, but forcing the log directory is left to the caller. */
  static void homeUnforced(
      final Path name, final Path source, final long length, final Progress progress)
      throws IOException {
    final Path temporary = name.resolveSibling(TEMPORARY_PREFIX + randomHex() + TEMPORARY_SUFFIX);
    try {
      copy(source, temporary, length, progress);
      checkName(name, source);
      Files.move(temporary, name, StandardCopyOption.ATOMIC_MOVE);
    } catch (final Throwable e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /**
   * Moves a segment into a tier: afterwards its name is a link to the target. Forcing the log
   * directory is left to the caller.
   *
   * @param name the segment's name in the log directory
   * @param source the file that it resolves to
   * @param target the new tier file, not there yet
   * @param length bytes of the segment, from the start of the source
   * @param progress is told what was copied
   * @throws IOException if anything failed; the name and the source are untouched then
   */
  static void tierUnforced(
      final Path name,
      final Path source,
      final Path target,
      final long length,
      final Progress progress)
      throws IOException {
    final Path link = name.resolveSibling(TEMPORARY_PREFIX + randomHex() + TEMPORARY_SUFFIX);
    try {
      copy(source, target, length, progress);
      DirectoryForce.forceNow(target.getParent());
      checkName(name, source);
      Files.createSymbolicLink(link, target);
      Files.move(link, name, StandardCopyOption.ATOMIC_MOVE);
    } catch (final Throwable e) {
      Files.deleteIfExists(link);
      Files.deleteIfExists(target);
      throw e;
    }
  }

  static String randomHex() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  private static void checkName(final Path name, final Path source) throws IOException {
    final Path resolved =
        Files.isSymbolicLink(name) ? name.resolveSibling(Files.readSymbolicLink(name)) : name;
    if (!resolved.equals(source)) {
      throw new IOException(
          name + " resolves to " + resolved + " and no longer to " + source + "; left as it is");
    }
  }

  private static void copy(
      final Path source, final Path target, final long length, final Progress progress)
      throws IOException {
    final CRC32C written = new CRC32C();
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                target,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      long position = 0;
      long forced = 0;
      while (position < length) {
        fill(in, source, buffer, position, length);
        written.update(buffer.duplicate());
        final int bytes = buffer.remaining();
        while (buffer.hasRemaining()) {
          position += out.write(buffer, position);
        }
        if (position - forced >= FORCE_STEP_BYTES) {
          out.force(false);
          forced = position;
        }
        progress.copied(bytes);
      }
      out.force(true);
      readBack(out, target, length, written.getValue(), buffer);
      keepAttributes(source, target);
      out.force(true);
    }
  }

  private static void readBack(
      final FileChannel copy,
      final Path target,
      final long length,
      final long checksum,
      final ByteBuffer buffer)
      throws IOException {
    if (copy.size() != length) {
      throw new IOException(target + ": the copy has " + copy.size() + " B, not " + length + " B");
    }
    final CRC32C read = new CRC32C();
    for (long position = 0; position < length; ) {
      fill(copy, target, buffer, position, length);
      position += buffer.remaining();
      read.update(buffer);
    }
    if (read.getValue() != checksum) {
      throw new IOException(
          target + ": the copy reads back with another checksum than was written");
    }
  }

  /** Reads the next bufferful; a short file is an error, never a short copy. */
  private static void fill(
      final FileChannel channel,
      final Path file,
      final ByteBuffer buffer,
      final long position,
      final long length)
      throws IOException {
    buffer.clear().limit((int) Math.min(buffer.capacity(), length - position));
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new IOException(
            file + " ends at " + (position + buffer.position()) + " B, before " + length + " B");
      }
    }
    buffer.flip();
  }

  private static void keepAttributes(final Path source, final Path target) throws IOException {
    final PosixFileAttributes from = Files.readAttributes(source, PosixFileAttributes.class);
    final PosixFileAttributeView to =
        Files.getFileAttributeView(target, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    final PosixFileAttributes now = to.readAttributes();
    if (!now.owner().equals(from.owner())) {
      to.setOwner(from.owner());
    }
    if (!now.group().equals(from.group())) {
      to.setGroup(from.group());
    }
    to.setPermissions(from.permissions());
    to.setTimes(from.lastModifiedTime(), from.lastAccessTime(), null);
  }
}
