// SPDX-License-Identifier: Apache-2.0
/**
 * What a directory's device takes: the time of durable appends in the ways that there are, its
 * bandwidth, and what it writes for each byte. {@code headpond doctor --measure} shows it, {@code
 * headpond plan} reads it.
 */
package io.headpond.cli.measure;
