// SPDX-License-Identifier: Apache-2.0

/**
 * The open store: where new segments are placed, the engine's changes of names, the moves between
 * tiers, and the clock that drives them. Knows no engine.
 */
package io.headpond.store;
