// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;

/**
 * Questions about the file that a segment's name leads to. The kernel reads the name's link first
 * and looks for that file afterwards; a migration that replaces the name and drops the file in
 * between makes it say that there is none, although there is one at every instant. Whoever is told
 * so asks again as long as the link has changed.
 */
final class FollowedLink {
  private FollowedLink() {}

  /** One of a provider's methods, with its arguments. */
  interface Question<T> {
    T ask() throws IOException;
  }

  /**
   * Asks.
   *
   * @param name the built-in provider's
   * @throws NoSuchFileException if the name, or the file that it leads to, isn't there
   */
  static <T> T ask(final FileSystemProvider provider, final Path name, final Question<T> question)
      throws IOException {
    Path before = null;
    while (true) {
      try {
        return question.ask();
      } catch (final NoSuchFileException e) {
        final Path now = target(provider, name);
        if (now == null || now.equals(before)) {
          throw e;
        }
        before = now;
      }
    }
  }

  /** The file that the name leads to, itself if it is no link; null if there is no such name. */
  private static Path target(final FileSystemProvider provider, final Path name)
      throws IOException {
    try {
      return provider.readSymbolicLink(name);
    } catch (final NotLinkException e) {
      return name; // moved home
    } catch (final NoSuchFileException e) {
      return null;
    }
  }
}
