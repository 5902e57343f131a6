// SPDX-License-Identifier: Apache-2.0

/**
 * Which segments belong in the fast tiers: the policies. They see facts and give ranks; what moves,
 * when and how is {@code io.headpond.store}'s business.
 */
package io.headpond.store.migrate;
