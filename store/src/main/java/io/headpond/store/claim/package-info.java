// SPDX-License-Identifier: Apache-2.0

/**
 * The claim of tiers and log directories: what is checked, locked and swept before a store opens,
 * and what {@code headpond doctor} checks of it without writing.
 */
package io.headpond.store.claim;
