// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.load.Findings;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings of a {@link Verification}.
 *
 * @param acknowledged records the broker has acknowledged
 * @param verified of these, read back at their offset with every byte as sent
 * @param expired of these, below the log's start now, as retention or DeleteRecords make it
 * @param superseded of these, gone because a later record has their key, as compaction makes it
 * @param lost of these, not there though they must be
 * @param corrupt records read with other content than was sent, or another record than was
 *     acknowledged there
 * @param duplicates records read at a second offset
 * @param abortedSeen records of aborted transactions that a reader of committed records saw
 * @param unacknowledged whole records read that were never acknowledged: sent, but the answer
 *     didn't arrive
 * @param examples the first findings, in words
 */
public record VerificationReport(
    long acknowledged,
    long verified,
    long expired,
    long superseded,
    long lost,
    long corrupt,
    long duplicates,
    long abortedSeen,
    long unacknowledged,
    List<String> examples)
    implements Findings<VerificationReport> {

  private static final int EXAMPLES_MAX = 20;

  /** Nothing found, nothing read. */
  public static final VerificationReport EMPTY =
      new VerificationReport(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

  public VerificationReport {
    examples = List.copyOf(examples);
  }

  /** True if every acknowledged record that must be there is there, whole and once. */
  @Override
  public boolean clean() {
    return lost == 0 && corrupt == 0 && duplicates == 0 && abortedSeen == 0;
  }

  @Override
  public VerificationReport plus(VerificationReport other) {
    List<String> all = new ArrayList<>(examples);
    all.addAll(other.examples);
    return new VerificationReport(
        acknowledged + other.acknowledged,
        verified + other.verified,
        expired + other.expired,
        superseded + other.superseded,
        lost + other.lost,
        corrupt + other.corrupt,
        duplicates + other.duplicates,
        abortedSeen + other.abortedSeen,
        unacknowledged + other.unacknowledged,
        all.subList(0, Math.min(all.size(), EXAMPLES_MAX)));
  }

  /** Counts while records are read. */
  static final class Builder {
    long acknowledged;
    long verified;
    long expired;
    long superseded;
    long lost;
    long corrupt;
    long duplicates;
    long abortedSeen;
    long unacknowledged;
    private final List<String> examples = new ArrayList<>();

    void example(String text) {
      if (examples.size() < EXAMPLES_MAX) {
        examples.add(text);
      }
    }

    VerificationReport build() {
      return new VerificationReport(
          acknowledged,
          verified,
          expired,
          superseded,
          lost,
          corrupt,
          duplicates,
          abortedSeen,
          unacknowledged,
          examples);
    }
  }
}
