// SPDX-License-Identifier: Apache-2.0
/**
 * What loads of all engines share: content whose every byte follows from a seed, its check, and
 * latencies as text.
 */
package io.headpond.bench.load;
