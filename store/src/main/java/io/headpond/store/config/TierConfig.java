// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * One configured tier.
 *
 * @param name the tier's name, lower-case letters, digits and dashes
 * @param paths its directories, absolute, at least one
 * @param capacityBytes bytes that Headpond may use in all its directories together; empty: what the
 *     file systems have, less a margin
 * @param ephemeral its devices may come back empty
 * @param draining all segments leave it, and none comes
 * @param threshold the used share that migration steers to; negative: it leaves the tier alone
 */
public record TierConfig(
    String name,
    List<Path> paths,
    OptionalLong capacityBytes,
    boolean ephemeral,
    boolean draining,
    double threshold) {

  /** Copies the list. */
  public TierConfig {
    paths = List.copyOf(paths);
  }

  /**
   * The bytes that Headpond may use in one of its directories.
   *
   * @param freeBytes what the directory's file system has free
   * @param usedBytes what the tier's files take there already, in quarantine too
   */
  public long directoryCapacityBytes(final long freeBytes, final long usedBytes) {
    return capacityBytes.isPresent()
        ? capacityBytes.getAsLong() / paths.size()
        : (freeBytes + usedBytes) / 100 * 98;
  }
}
