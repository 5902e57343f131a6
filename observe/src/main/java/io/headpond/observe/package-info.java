// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics, JMX beans and HTTP pages of a store, or of whatever else is {@link
 * io.headpond.observe.Observed}. No engine is known here. {@link io.headpond.observe.Metrics} is a
 * store's table of metrics; JMX beans, {@code /metrics} and docs/metrics.md are made from it.
 * {@link io.headpond.observe.History} takes the store's facts once a second; {@link
 * io.headpond.observe.HttpPort} serves text, JSON and the live page from them.
 *
 * <p>No append waits for anything here, and nothing here may hurt the engine: one daemon thread
 * takes the facts and another one serves them. A failure is logged and left alone.
 */
package io.headpond.observe;
