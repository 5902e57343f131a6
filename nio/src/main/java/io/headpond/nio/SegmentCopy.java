// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;

/**
 * Copies a file where one of the two names is a segment.
 *
 * <p>The built-in copy would read past a segment's logical end, and would put a plain file over a
 * link whose tier file nobody deletes. Everything here goes through the default provider again.
 */
final class SegmentCopy {
  private static final long STEP_BYTES = 1 << 20;

  private SegmentCopy() {}

  /** As {@link Files#copy}; both are the default provider's paths. */
  static void copy(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final List<CopyOption> given = List.of(options);
    if (given.contains(StandardCopyOption.ATOMIC_MOVE)) {
      throw new UnsupportedOperationException("Unsupported option: ATOMIC_MOVE");
    }
    final BasicFileAttributes attributes = Files.readAttributes(source, BasicFileAttributes.class);
    if (replaced(source, target, given)) {
      return;
    }
    try (SeekableByteChannel in = Files.newByteChannel(source, Set.of(StandardOpenOption.READ));
        FileChannel out =
            FileChannel.open(
                target, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW))) {
      long at = 0;
      long copied = 1;
      while (copied > 0) {
        copied = out.transferFrom(in, at, STEP_BYTES);
        at += copied;
      }
    }
    if (given.contains(StandardCopyOption.COPY_ATTRIBUTES)) {
      Files.getFileAttributeView(target, BasicFileAttributeView.class)
          .setTimes(
              attributes.lastModifiedTime(),
              attributes.lastAccessTime(),
              attributes.creationTime());
    }
  }

  /** Makes room at the target; true if source and target are one file, so nothing is to do. */
  private static boolean replaced(
      final Path source, final Path target, final List<CopyOption> options) throws IOException {
    try {
      if (Files.isSameFile(source, target)) {
        return true;
      }
    } catch (final NoSuchFileException nothingThere) {
      // Usually; a dangling link is deleted below.
    }
    if (options.contains(StandardCopyOption.REPLACE_EXISTING)) {
      Files.deleteIfExists(target);
    } else if (Files.exists(target, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    return false;
  }
}
