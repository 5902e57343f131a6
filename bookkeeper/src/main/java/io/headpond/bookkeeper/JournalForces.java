// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The open files of a journal directory in the order of their beginning, which is the order in
 * which they become durable.
 *
 * <p>BookKeeper's force-write thread (4.16 to 4.18) takes all waiting requests at once, forces the
 * file of the last one, and acknowledges the entries of all of them. Where a journal rolled between
 * two requests, the older file is forced only while it is closed, between acknowledgements, and a
 * failure of that is logged and forgotten. So a force begins with the files before its own, and a
 * force that failed is the last one of the directory: after it nothing is written, forced or
 * acknowledged, because the system takes what it couldn't write for written.
 *
 * <p>Any thread.
 */
final class JournalForces {
  /** A file that is open. */
  interface Forced {
    /** Forces what was stored and wasn't forced yet. */
    void forceContent() throws IOException;
  }

  private final Path directory;
  private final Queue<Forced> open = new ConcurrentLinkedQueue<>();
  private volatile boolean failed;
  private Path failedFile;
  private Object reason;

  JournalForces(Path directory) {
    this.directory = directory;
  }

  /** A file younger than all others. */
  void begun(Forced file) {
    open.add(file);
  }

  /** The file is closed. */
  void closed(Forced file) {
    open.remove(file);
  }

  /** Number of open files. */
  int open() {
    return open.size();
  }

  /** Forces what isn't durable yet of the files that are older. */
  void before(Forced file) throws IOException {
    if (open.peek() == file) {
      return;
    }
    for (Forced each : open) {
      if (each == file) {
        return;
      }
      each.forceContent();
    }
  }

  /**
   * Refuses everything from now on. Allocates nothing: there may be no memory left.
   *
   * @param why the file couldn't be forced: a throwable, or words
   */
  synchronized void failed(Path file, Object why) {
    if (!failed) {
      failedFile = file;
      reason = why;
      failed = true;
    }
  }

  /**
   * Returns if no force has failed.
   *
   * @throws IOException naming the file, the cause and the remedy
   */
  void refuseAfterFailure() throws IOException {
    if (failed) {
      throw refusal();
    }
  }

  private synchronized IOException refusal() {
    return new IOException(
        BookieCodes.JOURNAL_UNFORCED.text(failedFile, reason, directory),
        reason instanceof Throwable cause ? cause : null);
  }
}
