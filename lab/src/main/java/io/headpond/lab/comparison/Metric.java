// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.util.function.ToDoubleFunction;

/**
 * A figure by which variants are compared.
 *
 * @param key its name in results
 * @param title what a table calls it
 * @param unit of its values
 * @param moreIsBetter whether a ratio above 1 speaks for the first of the two
 * @param value in one round; NaN where the round didn't measure it
 * @param <F> figures of a round
 */
public record Metric<F>(
    String key, String title, String unit, boolean moreIsBetter, ToDoubleFunction<F> value) {

  /** The value in one round; NaN where the round didn't measure it. */
  public double of(F figures) {
    return value.applyAsDouble(figures);
  }
}
