// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

/**
 * Is told how a benchmark goes on, by the thread that runs it.
 *
 * @param <F> figures of a round
 */
public interface BenchListener<F> {
  /** Takes the present step; called often. */
  void progress(String text);

  /** One variant has done one round. */
  void finished(F figures);
}
