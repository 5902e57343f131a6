// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

/**
 * The steps by which a journal file that is prepared ahead grows, in bytes.
 *
 * @param mappedBegin mapped when a file begins, while the journal waits
 * @param mappedChunk mapped ahead at once, so that a fast journal isn't at its end too soon
 * @param writtenBegin zeros that are written and forced when a file begins, while the journal waits
 * @param writtenChunk zeros that are written ahead at once: a force beside them waits for them, at
 *     worst
 */
record JournalGrowth(int mappedBegin, int mappedChunk, int writtenBegin, int writtenChunk) {
  /** A file begins within a millisecond; a bookie's journal doesn't reach the end of a chunk. */
  static final JournalGrowth FAST = new JournalGrowth(1 << 20, 16 << 20, 64 << 10, 4 << 20);

  int beginBytes(boolean mapped) {
    return mapped ? mappedBegin : writtenBegin;
  }

  int chunkBytes(boolean mapped) {
    return mapped ? mappedChunk : writtenChunk;
  }
}
