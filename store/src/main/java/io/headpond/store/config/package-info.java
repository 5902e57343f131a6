// SPDX-License-Identifier: Apache-2.0

/**
 * The configuration of tiers, homes and migration: its keys with their defaults and texts, the
 * readers of values, and the checked result. Knows nothing of a store that is open.
 */
package io.headpond.store.config;
