// SPDX-License-Identifier: Apache-2.0

/**
 * What migration achieves and what it costs the engine: its rate against the bare disk, appends
 * beside it, the stall of a switch, how long a burst lasts, and how it does with many segments.
 */
package io.headpond.lab.migration;
