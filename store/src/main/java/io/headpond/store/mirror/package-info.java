// SPDX-License-Identifier: Apache-2.0

/**
 * The mirrors of tiers: copies at home of what a tier holds, written in rounds, as late as their
 * lag allows.
 */
package io.headpond.store.mirror;
