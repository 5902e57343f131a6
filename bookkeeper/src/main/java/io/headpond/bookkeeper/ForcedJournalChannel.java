// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A journal whose bytes are in the page cache until a force: BookKeeper drops its pages by a
 * descriptor of its own.
 */
abstract class ForcedJournalChannel extends JournalFileChannel {
  private final ReadDescriptor descriptor;

  /**
   * A file that is written from its first byte on.
   *
   * @param zeroBehind as {@link JournalFileChannel} has it
   * @param checks as well
   */
  ForcedJournalChannel(Path file, boolean zeroBehind, GroupChecks checks, JournalHost directory) {
    super(file, zeroBehind, checks, directory);
    this.descriptor = new ReadDescriptor(file);
  }

  /** Gives back what it is written by. */
  abstract void closeWritten() throws IOException;

  @Override
  final FileDescriptor descriptor() {
    return descriptor.get();
  }

  @Override
  final boolean durableAtReturn() {
    return false;
  }

  @Override
  final void closeFile() throws IOException {
    try {
      closeWritten();
    } finally {
      descriptor.close();
    }
  }
}
