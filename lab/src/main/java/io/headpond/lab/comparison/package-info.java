// SPDX-License-Identifier: Apache-2.0
/**
 * The shared parts of benchmarks that compare variants by turns: the {@link
 * io.headpond.lab.comparison.Metric}s of a round's {@link io.headpond.lab.comparison.RoundFigures},
 * their {@link io.headpond.lab.comparison.Comparison} round by round with its {@link
 * io.headpond.cli.measure.Spread}, and how busy the machine was meanwhile ({@link
 * io.headpond.lab.comparison.MachineLoad}).
 */
package io.headpond.lab.comparison;
