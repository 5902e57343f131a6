// SPDX-License-Identifier: Apache-2.0
/**
 * What all benchmarks share that compare: a {@link io.headpond.bench.comparison.Spread} of the
 * rounds' values and of their ratios, round by round, and how busy the machine was meanwhile.
 */
package io.headpond.bench.comparison;
