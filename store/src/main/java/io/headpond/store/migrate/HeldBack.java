// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * The room of one tier directory that is held back for segments that grow there. One thread.
 *
 * <p>An append that finds none waits for the move of its whole segment. So room for what is surely
 * taken is never given to a new segment, nor the last quarter of the directory while segments that
 * grow now will soon take it. Guesses hold nothing of that quarter back: thousands of small logs
 * must not keep a new segment out of a tier that has room.
 */
public final class HeldBack {
  /**
   * This share of a directory a new segment may ask for at most that is guessed about, and is held
   * back at most for small ones that grow fast.
   */
  private static final int GUESS_PARTS = 4;

  private long sureBytes;
  private long soonBytes;
  private long guessedBytes;

  /**
   * One more segment.
   *
   * @param sure is it all but sure that it takes them? See {@link ExpectedSize#isSure}
   * @param ofThemSoon what it will take soon at its rate, if that is less
   */
  public void add(final long bytes, final boolean sure, final long ofThemSoon) {
    if (sure) {
      sureBytes += bytes;
    } else {
      final long soon = Math.min(bytes, ofThemSoon);
      soonBytes += soon;
      guessedBytes += bytes - soon;
    }
  }

  /**
   * The bytes that a new segment may count on.
   *
   * @param freeBytes what of the directory's capacity its device can give now
   */
  public long leaves(final long freeBytes, final long capacityBytes) {
    final long quarter = guessMaxBytes(capacityBytes);
    final long left = freeBytes - sureBytes - Math.min(soonBytes, quarter);
    return left - Math.min(guessedBytes, Math.max(0, left - quarter));
  }

  /** The largest size that is asked for on a guess. */
  static long guessMaxBytes(final long capacityBytes) {
    return capacityBytes / GUESS_PARTS;
  }
}
