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

  /** True if it has sent as much as there is room for, and so ended early. */
  boolean exhausted();

  /** Sends no more, and waits until what was sent is answered; reading ends too. */
  void stop() throws IOException, InterruptedException;

  /** Ends it if it wasn't stopped, and removes what it wrote. */
  @Override
  void close() throws IOException;
}
