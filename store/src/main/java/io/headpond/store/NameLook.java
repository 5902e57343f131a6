// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * What a name is: a link, something else, or nothing. Other than {@link Files#exists}, {@link
 * Files#isSymbolicLink} and the like, a device that can't say is an error here and never a "no":
 * what isn't there may be given up. Any thread.
 */
final class NameLook {
  private NameLook() {}

  /** Is there anything of that name, be it a link that leads nowhere? */
  static boolean exists(final Path name) throws IOException {
    return find(name, LinkOption.NOFOLLOW_LINKS) != null;
  }

  /** Is it anything but a link that leads nowhere? */
  static boolean leadsSomewhere(final Path name) throws IOException {
    return find(name) != null;
  }

  /** Is it a directory, or a link to one? */
  static boolean isDirectory(final Path name) throws IOException {
    final BasicFileAttributes found = find(name);
    return found != null && found.isDirectory();
  }

  /**
   * Makes a directory, and those above it, unless it is there. {@link Files#createDirectories} says
   * that it exists where the device can't say whether it is a directory.
   */
  static void makeDirectories(final Path name) throws IOException {
    if (!isDirectory(name)) {
      Files.createDirectories(name);
    }
  }

  /** Is it a link? */
  static boolean isLink(final Path name) throws IOException {
    final BasicFileAttributes found = find(name, LinkOption.NOFOLLOW_LINKS);
    return found != null && found.isSymbolicLink();
  }

  /** Where a link leads; null if the name is no link. */
  static Path target(final Path name) throws IOException {
    return isLink(name) ? name.resolveSibling(Files.readSymbolicLink(name)) : null;
  }

  /**
   * What a directory holds.
   *
   * @throws NoSuchFileException if it isn't there
   */
  static List<Path> list(final Path directory) throws IOException {
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(found::add);
    } catch (final DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /** An error of a channel, which doesn't know its file's name, with that name. */
  static IOException named(final Path file, final IOException e) {
    return e instanceof FileSystemException || e instanceof ClosedChannelException
        ? e
        : new IOException(file + ": " + e.getMessage(), e);
  }

  private static BasicFileAttributes find(final Path name, final LinkOption... how)
      throws IOException {
    try {
      return Files.readAttributes(name, BasicFileAttributes.class, how);
    } catch (final NoSuchFileException absent) {
      return null;
    }
  }
}
