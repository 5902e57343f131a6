// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Device;
import io.headpond.store.layout.ShutdownCounts;
import java.io.IOException;
import java.nio.file.Path;

/** The report of a power failure at which a bookie's persistent memory lost writes. */
public final class LostWrites {
  private LostWrites() {}

  /** Logs a changed count of a directory's device once, and notes the present one there. */
  public static void report(final Path directory, final Device device) throws IOException {
    final String now = ShutdownCounts.of(device);
    if (now.isEmpty()) {
      return;
    }
    final String noted = ShutdownCounts.noted(directory);
    if (ShutdownCounts.changed(noted, now)) {
      BookieCodes.WRITES_LOST.log(directory, noted, now);
    }
    if (!now.equals(noted)) {
      ShutdownCounts.note(directory, now);
    }
  }
}
