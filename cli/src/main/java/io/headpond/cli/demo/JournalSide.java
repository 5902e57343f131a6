// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One of the two sides that a demo compares, alike but for their journal: a bookie, its services
 * and its client. One thread runs it, another one looks.
 */
interface JournalSide extends AutoCloseable {

  /**
   * Begins a turn.
   *
   * @param counted whether its rate and its latencies count
   */
  void begin(boolean counted) throws IOException, InterruptedException;

  /** Ends a turn: everything that was sent is answered then. */
  void end() throws IOException, InterruptedException;

  /** SIGKILL of the bookie; returns its process id. */
  long kill() throws IOException, InterruptedException;

  /** Starts the bookie again, and waits until it serves clients. */
  void restart() throws IOException, InterruptedException;

  /** Waits until something is acknowledged after the kill. */
  void awaitAcknowledging() throws IOException, InterruptedException;

  /** Asks the client how far it is, if it may have got further. */
  void look() throws IOException, InterruptedException;

  /** The figures so far. */
  SideFigures seen();

  /** The bookie's journal directory. */
  Path journal();

  /** Bytes of the journal's files, the space that is allocated ahead included. */
  default long journalBytes() throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(journal().resolve("current"), "*.txn")) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** The end of what its processes have printed and logged, for a failure that may be theirs. */
  String tail() throws IOException;

  /** Kills what lives, and waits until it is gone. */
  @Override
  void close() throws IOException;
}
