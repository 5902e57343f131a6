// SPDX-License-Identifier: Apache-2.0
/**
 * What operators see: {@link io.headpond.observe.Metrics} and {@link
 * io.headpond.observe.BookieMetrics} are the tables of metrics; JMX beans, {@code /metrics} and
 * docs/metrics.md are made from them. {@link io.headpond.observe.History} looks at the store once a
 * second; {@link io.headpond.observe.HttpPort} serves text, JSON and the live page from it.
 *
 * <p>Nothing here is on the way of an append, and nothing here may hurt the engine: one thread
 * looks, one serves, both are daemons, and what goes wrong is logged and left alone.
 */
package io.headpond.observe;
