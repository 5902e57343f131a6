// SPDX-License-Identifier: Apache-2.0

/** Measurements of what the store keeps to itself. */
package io.headpond.store.tier;
