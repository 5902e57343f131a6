// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;

/** Sets the times of one file. */
@FunctionalInterface
public interface FileTimes {
  /** Returns when they are set. */
  void set() throws IOException;
}
