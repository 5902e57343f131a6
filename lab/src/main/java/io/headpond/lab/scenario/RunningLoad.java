// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import java.io.IOException;

/** A load that senders and readers make in threads or processes of their own. One thread. */
public interface RunningLoad extends AutoCloseable {

  /**
   * The figures since the last call; an error if a request failed, for then figures mean nothing,
   * unless this load was told to count failures.
   */
  LoadInterval interval() throws IOException, InterruptedException;

  /** The share that it has sent of what there is room for, 0 to 1; with all of it, it has ended. */
  double spent();

  /** Sends no more, and waits until what was sent is answered; reading ends too. */
  void stop() throws IOException, InterruptedException;

  /** Ends it if it wasn't stopped, and removes what it wrote. */
  @Override
  void close() throws IOException;
}
