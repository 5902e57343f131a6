// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Units;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Room at home for the small files that a command replaces there: identities, checkpoints. A tier
 * is often lost, or given up, while home is full.
 */
public final class HomeRoom {
  /** More than such files take. */
  private static final long BYTES = 1 << 20;

  private HomeRoom() {}

  /**
   * Gives the ballast back if there is too little room without it. The next start takes it again.
   *
   * @throws CommandFailure if there is too little with it, too; nothing was changed then
   */
  static void make(Path home, LogDirChanges changes) throws IOException {
    long free = Files.getFileStore(home).getUsableSpace();
    if (free >= BYTES) {
      return;
    }
    long ballast = ballastBytes(home);
    if (free + ballast < BYTES) {
      throw new CommandFailure(
          home
              + " has "
              + Units.bytes(free + ballast)
              + " free, and "
              + Units.bytes(BYTES)
              + " are needed for the files that are written there",
          "make room (nothing was changed)");
    }
    changes.delete(ballast(home));
  }

  static Path ballast(Path home) {
    return home.resolve(HomeIdentity.BALLAST);
  }

  /** The bytes that giving the ballast back brings. */
  public static long ballastBytes(Path home) throws IOException {
    return Files.exists(ballast(home)) ? Files.size(ballast(home)) : 0;
  }
}
