// SPDX-License-Identifier: Apache-2.0
/**
 * The measures of a directory's device: the time of durable appends in the ways that there are, its
 * bandwidth, and what it writes for each byte. {@code headpond doctor --measure} shows it, {@code
 * headpond plan} reads it. Besides, the {@link io.headpond.cli.measure.Spread} of repeated
 * measurements, and the one rule for a ratio.
 */
package io.headpond.cli.measure;
