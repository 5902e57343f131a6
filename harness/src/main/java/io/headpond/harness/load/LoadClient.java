// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * An engine's own client in a process of its own, which takes one load after the other: {@link
 * #start}, {@link #stop}, {@link #forget}. For one thread.
 */
public interface LoadClient {

  /** Makes what is sent to, and lets the senders loose. */
  void start(SendingOrder order) throws IOException, InterruptedException;

  /** The figures so far. */
  SentFigures figures() throws IOException, InterruptedException;

  /** Sends no more, and waits until what was sent is answered; returns itself. */
  LoadClient stop() throws IOException, InterruptedException;

  /** Removes what was written since the start, so that the engine frees its space. */
  void forget() throws IOException, InterruptedException;

  /** Ends the load, if it still runs, and removes what it wrote. */
  default void end(boolean running) throws IOException {
    try {
      if (running) {
        stop();
      }
      forget();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a load ended");
    }
  }
}
