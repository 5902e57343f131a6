// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.pulsar.PulsarServer;
import java.io.IOException;
import java.util.Optional;

/**
 * The cluster around the bookie of a soak, and its clients: what is written, and what must be
 * there. One thread, but {@link #close}.
 */
interface BookieClients extends AutoCloseable {
  /** The bookie, which is started and ended by others. */
  SoakedBookie bookie();

  /** Makes the metadata, and starts what the bookie needs. */
  void prepare() throws IOException, InterruptedException;

  /** Begins a lap: from now on other ledgers are written. */
  void begin(int lap) throws IOException, InterruptedException;

  /** Writes from now on. */
  void write() throws IOException, InterruptedException;

  /** Writes no more; all that was sent is answered then. */
  void pause() throws IOException, InterruptedException;

  /** Entries or messages that were acknowledged in this lap. */
  long acknowledged() throws IOException, InterruptedException;

  /**
   * Deletes half of what was written, with nothing being written.
   *
   * @return entries that had been acknowledged in it
   */
  long deleteHalf() throws IOException, InterruptedException;

  /** Reads everything of this lap and compares it, with nothing being written. */
  ContentReport compare() throws IOException, InterruptedException;

  /** Deletes all that this lap has written. */
  void end() throws IOException, InterruptedException;

  /** The broker that writes to the bookie, if it is one that may be killed too. */
  Optional<PulsarServer> broker();

  /** Any thread: nothing of it runs any more. */
  @Override
  void close();
}
