// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;

/**
 * Takes a copy's progress, and may hold the copy up. An exception ends the move and leaves the
 * source authoritative. Called by the thread that copies.
 */
@FunctionalInterface
public interface CopyProgress {
  /**
   * More bytes were copied.
   *
   * @param bytes since the last call
   * @throws IOException if the copy is to end
   */
  void copied(long bytes) throws IOException;
}
