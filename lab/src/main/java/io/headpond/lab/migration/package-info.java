// SPDX-License-Identifier: Apache-2.0

/**
 * The speed of migration and its cost for the engine: its rate against the bare disk, appends
 * beside it, the stall of a switch, how long a burst lasts, and how it does with many segments.
 */
package io.headpond.lab.migration;
