// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.disk.Forgotten;

/**
 * The fate of what volatile caches held when the power went.
 *
 * @param disks writes that were sent to disks which forget, and never flushed
 * @param memory cache lines of an NVDIMM that forgets, which weren't written back and fenced
 */
public record Losses(Forgotten disks, Forgotten memory) {
  /** Nothing was in a cache. */
  static final Losses NOTHING = new Losses(Forgotten.NOTHING, Forgotten.NOTHING);

  Losses plus(Losses other) {
    return new Losses(disks.plus(other.disks), memory.plus(other.memory));
  }

  /** In words, to be added to what is said of a cut; empty if nothing forgets. */
  static String describe(Losses losses, boolean disksForget, boolean memoryForgets) {
    return describe(losses.disks, "writes not flushed", disksForget)
        + describe(losses.memory, "cache lines not durable", memoryForgets);
  }

  private static String describe(Forgotten forgotten, String what, boolean forgets) {
    return forgets
        ? String.format(
            ", of %d %s %d lost, %d torn",
            forgotten.writes(), what, forgotten.lost(), forgotten.torn())
        : "";
  }
}
