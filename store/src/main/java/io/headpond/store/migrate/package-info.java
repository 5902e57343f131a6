// SPDX-License-Identifier: Apache-2.0

/**
 * The policies of migration, which rank segments, and its rules, which choose the next move by rank
 * and room: pure functions. The store gathers what they need and makes the moves, at the {@link
 * io.headpond.store.migrate.Pace} that appends leave.
 */
package io.headpond.store.migrate;
