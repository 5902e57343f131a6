// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Mount;
import io.headpond.store.event.ProcessUser;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A bookie's rights to its directories, and to what lies in them. */
public final class WriteAccess {
  private WriteAccess() {}

  /**
   * Looks at a directory that is there.
   *
   * @return why not, and what to do; empty if it can
   */
  public static Optional<StoreRefusedException> refusal(Path directory) throws IOException {
    if (Mount.of(directory).readOnly()) {
      return Optional.of(BookieCodes.READ_ONLY.refusal(directory));
    }
    return Files.isWritable(directory)
        ? Optional.empty()
        : Optional.of(BookieCodes.NO_RIGHT.refusal(directory, ProcessUser.name()));
  }

  /** The same of a file or a directory that couldn't be opened: a start as root has left it. */
  public static StoreRefusedException refusal(AccessDeniedException e) {
    return BookieCodes.NO_RIGHT.refusal(e.getFile(), ProcessUser.name(), e);
  }
}
