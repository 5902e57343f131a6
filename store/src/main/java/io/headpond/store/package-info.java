// SPDX-License-Identifier: Apache-2.0

/**
 * The open store: segments and their channels, placement, recovery, and the moves between tiers.
 * Knows no engine.
 */
package io.headpond.store;
