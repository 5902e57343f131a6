// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics of a store, or of a bookie's journals and entry logs, as JMX beans. No engine is known
 * here. {@link io.headpond.observe.Metrics} is a store's table; the beans and docs/metrics.md are
 * made from it.
 *
 * <p>No append waits for anything here, and nothing here may hurt the engine: one daemon thread
 * takes the facts once a second. A failure is logged and left alone.
 */
package io.headpond.observe;
