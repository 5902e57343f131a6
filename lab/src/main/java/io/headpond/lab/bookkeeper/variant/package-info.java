// SPDX-License-Identifier: Apache-2.0
/**
 * Bookies that differ in their journals only: the variants that all benchmarks of bookies and of
 * Pulsar compare, and the settings of each one's bookie.
 */
package io.headpond.lab.bookkeeper.variant;
