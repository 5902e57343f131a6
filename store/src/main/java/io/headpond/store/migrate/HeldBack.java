// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/** The room of one tier directory that is held back for segments that grow there. One thread. */
public final class HeldBack {
  /** This share of a directory a new segment may ask for at most that is guessed about. */
  private static final int GUESS_PARTS = 4;

  private long sureBytes;
  private long guessedBytes;

  /**
   * One more segment.
   *
   * @param sure is it all but sure that it takes them? See {@link ExpectedSize#isSure}
   */
  public void add(final long bytes, final boolean sure) {
    if (sure) {
      sureBytes += bytes;
    } else {
      guessedBytes += bytes;
    }
  }

  /**
   * The bytes that a new segment may count on. Guesses take none of the last ones: thousands of
   * small logs must not keep a new segment out of a tier that has room.
   *
   * @param freeBytes what of the directory's capacity its device can give now
   */
  public long leaves(final long freeBytes, final long capacityBytes) {
    final long left = freeBytes - sureBytes;
    return left - Math.min(guessedBytes, Math.max(0, left - guessMaxBytes(capacityBytes)));
  }

  /** The largest size that is asked for on a guess. */
  static long guessMaxBytes(final long capacityBytes) {
    return capacityBytes / GUESS_PARTS;
  }
}
