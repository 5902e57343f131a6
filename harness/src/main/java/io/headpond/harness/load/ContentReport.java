// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The findings when everything that a load wrote is read back and compared by content.
 *
 * @param acknowledged records that the engine has acknowledged
 * @param verified of these, read back where they were acknowledged with every byte as sent
 * @param lost of these, not there
 * @param corrupt records read with other content than was sent, or in another one's place
 * @param unacknowledged whole records read that were never acknowledged: sent, but the answer
 *     didn't arrive
 * @param examples the first findings, in words
 */
public record ContentReport(
    long acknowledged,
    long verified,
    long lost,
    long corrupt,
    long unacknowledged,
    List<String> examples)
    implements Findings<ContentReport> {

  /** Findings that are kept in words. */
  public static final int EXAMPLES_MAX = 20;

  public ContentReport {
    examples = List.copyOf(examples);
  }

  @Override
  public boolean clean() {
    return lost == 0 && corrupt == 0 && verified == acknowledged;
  }

  @Override
  public ContentReport plus(ContentReport other) {
    List<String> all = new ArrayList<>(examples);
    all.addAll(other.examples);
    return new ContentReport(
        acknowledged + other.acknowledged,
        verified + other.verified,
        lost + other.lost,
        corrupt + other.corrupt,
        unacknowledged + other.unacknowledged,
        all.subList(0, Math.min(all.size(), EXAMPLES_MAX)));
  }
}
