// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.Path;

/** Moves segments on the caller's thread, for tests of other modules. */
public final class Mover {
  private Mover() {}

  /**
   * Moves a segment home, or to the first tier.
   *
   * @param name the built-in provider's
   * @return false if it isn't there, or came in the engine's way
   */
  public static boolean move(final TieredStore store, final Path name, final boolean home)
      throws IOException {
    return store.migration(bytes -> {}).move(name, home ? null : store.tiers().get(0).get(0), true)
        == SegmentMigration.Outcome.MOVED;
  }
}
