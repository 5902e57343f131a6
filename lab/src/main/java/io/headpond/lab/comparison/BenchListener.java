// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

/**
 * Receives the progress and the figures of a benchmark, on the thread that runs it.
 *
 * @param <F> figures of a round
 */
public interface BenchListener<F> {
  /** Takes the present step; called often. */
  void progress(String text);

  /** Takes the figures of one variant in one round. */
  void finished(F figures);
}
