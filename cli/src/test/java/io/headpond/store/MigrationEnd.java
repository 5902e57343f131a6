// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/** The end of a store's migration, which only the store's own package sees. */
public final class MigrationEnd {
  private MigrationEnd() {}

  /** Has every thread of it found nothing to move since the last event? */
  public static boolean reached(final TieredStore store) {
    return store.migrator().quiet();
  }
}
