// SPDX-License-Identifier: Apache-2.0
/**
 * What benchmarks share that compare variants by turns: the {@link
 * io.headpond.bench.comparison.Metric}s of a round's {@link
 * io.headpond.bench.comparison.RoundFigures}, their {@link io.headpond.bench.comparison.Comparison}
 * round by round with its {@link io.headpond.bench.comparison.Spread}, and how busy the machine was
 * meanwhile ({@link io.headpond.bench.comparison.MachineLoad}).
 */
package io.headpond.bench.comparison;
