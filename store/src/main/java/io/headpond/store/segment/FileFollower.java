// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;
import java.nio.file.Path;

/** An open channel's part in a switch of its segment's file. Under the segment's lock. */
public interface FileFollower {
  /** Opens the copy, before it has the segment's name; a failure ends the switch. */
  void open(SegmentFile to, Path copy) throws IOException;

  /** Uses what was opened from now on. Nothing here may fail. */
  void use();

  /** Closes what isn't used: the source after a switch, the copy if there was none. */
  void leave();
}
