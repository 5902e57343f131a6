// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

/**
 * The fate of the writes that a disk held in its volatile cache when the power went.
 *
 * @param writes completed by the disk, and never flushed
 * @param lost of these, none of whose sectors stayed
 * @param torn of these, some of whose sectors stayed
 */
public record Forgotten(long writes, long lost, long torn) {
  /** Nothing was in the cache. */
  public static final Forgotten NOTHING = new Forgotten(0, 0, 0);

  /** Both together. */
  public Forgotten plus(Forgotten other) {
    return new Forgotten(writes + other.writes, lost + other.lost, torn + other.torn);
  }
}
