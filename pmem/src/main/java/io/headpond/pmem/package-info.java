// SPDX-License-Identifier: Apache-2.0

/**
 * Durable mapped memory: mapping, persist back ends, device detection. Knows no engine and no
 * tiers.
 */
package io.headpond.pmem;
