// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Tells how much of a segment is whole, by the checksums of the engine's own format. One thread at
 * a time.
 */
public interface SegmentProof {
  /**
   * The length of a file's beginning that holds whole records and nothing else.
   *
   * @param segment a segment's name in the log directory, or a file with the same content
   * @param end records from this offset on are the next segment's and don't count
   * @return bytes
   */
  long wholeBytes(Path segment, long end) throws IOException;

  /**
   * True if the engine examines the ends of the logs itself when it starts, and cuts off what isn't
   * whole: it wasn't stopped in good order.
   *
   * @param logDir its log directory, before the engine has read anything there
   */
  boolean recovers(Path logDir) throws IOException;
}
