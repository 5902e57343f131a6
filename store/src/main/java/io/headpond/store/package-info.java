// SPDX-License-Identifier: Apache-2.0

/** Tiers, segments, placement and recovery. Knows no engine. */
package io.headpond.store;
