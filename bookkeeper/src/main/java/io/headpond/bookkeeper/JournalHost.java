// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;

/** The journal directory as its channels see it. Any thread. */
interface JournalHost {
  /** Forces of the directory's files, in the order of their beginning. */
  JournalForces forces();

  /** Bytes were written to one of the files, in so many nanoseconds. */
  void written(int bytes, long nanos);

  /** One of the files was forced, in so many nanoseconds. */
  void forced(long nanos);

  /** Makes the names in the directory durable. */
  void forceNames() throws IOException;

  /** The failure with what an operator needs to know. */
  IOException failure(Path file, IOException cause);
}
