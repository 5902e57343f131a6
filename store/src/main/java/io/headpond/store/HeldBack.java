// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/** The room of one tier directory that is held back for segments that grow there. One thread. */
final class HeldBack {
  /** This share of a directory a new segment may ask for at most that is guessed about. */
  static final int GUESS_PARTS = 4;

  private long sureBytes;
  private long guessedBytes;

  /**
   * One more segment.
   *
   * @param sure is it all but sure that it takes them? See {@link ExpectedSize#isSure}
   */
  void add(final long bytes, final boolean sure) {
    if (sure) {
      sureBytes += bytes;
    } else {
      guessedBytes += bytes;
    }
  }

  /**
   * What is left of free bytes. Guesses take none of the last ones: thousands of small logs must
   * not keep a new segment out of a tier that has room.
   */
  long leaves(final long freeBytes, final long lastBytes) {
    final long left = freeBytes - sureBytes;
    return left - Math.min(guessedBytes, Math.max(0, left - lastBytes));
  }
}
