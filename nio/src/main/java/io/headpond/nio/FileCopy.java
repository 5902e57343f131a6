// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Set;

/**
 * Copies a file where one of the two names is a segment, as the built-in copy does: with the
 * source's mode, and without a trace if it fails. An interrupt would end it, so a thread that
 * nobody interrupts has to call it.
 *
 * <p>The built-in copy would read past a segment's logical end, and would put a plain file over a
 * link whose tier file nobody deletes. Everything here goes through the default provider again.
 *
 * <p>Two differences remain. With {@link LinkOption#NOFOLLOW_LINKS} the bytes are copied too: a
 * second link to a tier file would lead nowhere once the segment goes. And of extended attributes
 * only those of users ({@code user.*}) are copied, the ones that Java shows: an access control list
 * is what the target's directory gives to new files.
 */
final class FileCopy {
  private static final int STEP_BYTES = 64 << 10;

  private FileCopy() {}

  /**
   * As {@link Files#copy}, with arguments that are checked; both are the default provider's.
   *
   * @param segment is the target's name a segment's? Else a link there isn't followed
   */
  static void copy(
      final Path source, final Path target, final boolean segment, final CopyOption... options)
      throws IOException {
    final List<CopyOption> given = List.of(options);
    final PosixFileAttributes attributes = Files.readAttributes(source, PosixFileAttributes.class);
    if (replaced(source, target, segment, given)) {
      return;
    }
    final FileChannel made =
        FileChannel.open(
            target,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(attributes.permissions()));
    try {
      try (OutputStream out = Channels.newOutputStream(made);
          FileChannel in = FileChannel.open(source, StandardOpenOption.READ)) {
        final ByteBuffer buffer = ByteBuffer.allocate(STEP_BYTES);
        while (in.read(buffer.clear()) > 0) {
          out.write(buffer.array(), 0, buffer.position());
        }
      }
      if (given.contains(StandardCopyOption.COPY_ATTRIBUTES)) {
        keepUserDefined(source, target);
        keep(attributes, target);
      }
    } catch (final IOException | RuntimeException | Error e) {
      discard(target, e);
      throw e;
    }
  }

  /**
   * Users' extended attributes, as far as both file systems have them: the built-in copy goes on
   * without, too.
   */
  private static void keepUserDefined(final Path source, final Path target) {
    final UserDefinedFileAttributeView from = userDefined(source);
    final UserDefinedFileAttributeView to = userDefined(target);
    try {
      for (final String name : from.list()) {
        keepUserDefined(from, to, name);
      }
    } catch (final IOException none) {
      return;
    }
  }

  private static UserDefinedFileAttributeView userDefined(final Path file) {
    return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
  }

  private static void keepUserDefined(
      final UserDefinedFileAttributeView from,
      final UserDefinedFileAttributeView to,
      final String name) {
    try {
      final ByteBuffer value = ByteBuffer.allocate(from.size(name));
      from.read(name, value);
      to.write(name, value.flip());
    } catch (final IOException refused) {
      return;
    }
  }

  /** Owner, group and mode as far as this process may give them; the times in any case. */
  private static void keep(final PosixFileAttributes attributes, final Path target)
      throws IOException {
    final PosixFileAttributeView view =
        Files.getFileAttributeView(target, PosixFileAttributeView.class);
    try {
      view.setOwner(attributes.owner());
      view.setGroup(attributes.group());
    } catch (final FileSystemException notAllowed) {
      // The built-in copy goes on as well.
    }
    view.setPermissions(attributes.permissions());
    Files.getFileAttributeView(target, BasicFileAttributeView.class)
        .setTimes(
            attributes.lastModifiedTime(), attributes.lastAccessTime(), attributes.creationTime());
  }

  private static void discard(final Path target, final Throwable why) {
    try {
      Files.deleteIfExists(target);
    } catch (final IOException left) {
      why.addSuppressed(left);
    }
  }

  /** Makes room at the target; true if source and target are one file, so nothing is to do. */
  private static boolean replaced(
      final Path source, final Path target, final boolean segment, final List<CopyOption> options)
      throws IOException {
    try {
      if ((segment || !Files.isSymbolicLink(target)) && Files.isSameFile(source, target)) {
        return true;
      }
    } catch (final NoSuchFileException nothingThere) {
      // Usually; a dangling link is deleted below.
    }
    if (options.contains(StandardCopyOption.REPLACE_EXISTING)) {
      Files.deleteIfExists(target);
    } else if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    return false;
  }
}
