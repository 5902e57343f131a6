// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The distribution of the log directory's segments, by the file system.
 *
 * @param fastBytes physical bytes of segments in the fast tier, the space grown ahead included
 * @param fastSegments number of segments there
 * @param homeBytes bytes of segments at home
 * @param homeSegments segments at home, but for those of {@code __cluster_metadata}, which always
 *     stay there
 */
record TierUsage(long fastBytes, long fastSegments, long homeBytes, long homeSegments) {

  private static final String METADATA = "__cluster_metadata-0";

  /** Reads the log directory, beside a live broker too. */
  static TierUsage of(Path logDir) throws IOException {
    long[] sums = new long[4];
    if (Files.isDirectory(logDir)) {
      LogDirScan.scan(
          logDir,
          entry -> {
            int at = entry.linked() ? 0 : 2;
            sums[at] += Math.max(0, entry.bytes());
            sums[at + 1] += entry.linked() || !entry.partition().equals(METADATA) ? 1 : 0;
          });
    }
    return new TierUsage(sums[0], sums[1], sums[2], sums[3]);
  }
}
