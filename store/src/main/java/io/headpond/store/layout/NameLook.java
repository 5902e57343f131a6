// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.PlainText;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The examination of a name: a link, something else, or nothing. Unlike {@link Files#exists},
 * {@link Files#isSymbolicLink} and the like, it never takes a device's error for a "no", because
 * what isn't there may be given up. Any thread.
 */
public final class NameLook {
  private NameLook() {}

  /** The attributes of a name, of the link itself if it is one; null: there is nothing. */
  static BasicFileAttributes itself(final Path name) throws IOException {
    return find(name, LinkOption.NOFOLLOW_LINKS);
  }

  /** True if there is anything of that name, be it a link that leads nowhere. */
  public static boolean exists(final Path name) throws IOException {
    return itself(name) != null;
  }

  /** True for anything but a link that leads nowhere. */
  public static boolean leadsSomewhere(final Path name) throws IOException {
    return find(name) != null;
  }

  /** True for a directory, and for a link to one. */
  public static boolean isDirectory(final Path name) throws IOException {
    final BasicFileAttributes found = find(name);
    return found != null && found.isDirectory();
  }

  /**
   * Makes a directory, and those above it, unless it is there. {@link Files#createDirectories} says
   * that it exists where the device can't say whether it is a directory.
   */
  public static void makeDirectories(final Path name) throws IOException {
    if (!isDirectory(name)) {
      Files.createDirectories(name);
    }
  }

  /** True for a link. */
  public static boolean isLink(final Path name) throws IOException {
    final BasicFileAttributes found = itself(name);
    return found != null && found.isSymbolicLink();
  }

  /** The target of a link; null if the name is no link. */
  public static Path target(final Path name) throws IOException {
    if (!isLink(name)) {
      return null;
    }
    try {
      return name.resolveSibling(Files.readSymbolicLink(name));
    } catch (final NotLinkException | NoSuchFileException changed) {
      return null; // moved home or deleted since the first look: no link now
    }
  }

  /**
   * The entries of a directory.
   *
   * @throws NoSuchFileException if it isn't there
   */
  public static List<Path> list(final Path directory) throws IOException {
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(found::add);
    } catch (final DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /** An error of a channel, which doesn't know its file's name, with that name. */
  public static IOException named(final Path file, final IOException e) {
    return e instanceof FileSystemException || e instanceof ClosedChannelException
        ? e
        : new IOException(file + ": " + PlainText.reason(e), e);
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
