// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;

/** A user of a file that a segment may leave. Any thread. */
public interface FileFollower {
  /**
   * Opens the file that is authoritative now.
   *
   * @throws java.nio.channels.ClosedChannelException if it was closed
   */
  void follow() throws IOException;
}
