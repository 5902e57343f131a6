// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Background;
import io.headpond.store.event.BackgroundCodes;

/** The background threads of all journals and entry logs of this JVM, whose bookie is one. */
public final class BookieBackground {
  /** Makes them. */
  public static final Background THREADS =
      new Background(
          (name, failures, cause) -> BackgroundCodes.BACKGROUND_FAILED.log(name, failures, cause));

  private BookieBackground() {}
}
