// SPDX-License-Identifier: Apache-2.0
/**
 * The {@link io.headpond.cli.measure.Spread} of repeated measurements, and the one rule for a
 * ratio.
 */
package io.headpond.cli.measure;
