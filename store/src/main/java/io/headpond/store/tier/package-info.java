// SPDX-License-Identifier: Apache-2.0

/**
 * The tiers: their directories with device and space, the catalogue of all segments that lie there
 * or at home, what is counted by topic, and the quarantine. Moves nothing.
 */
package io.headpond.store.tier;
