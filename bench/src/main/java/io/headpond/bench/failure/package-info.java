// SPDX-License-Identifier: Apache-2.0
/**
 * What publishers feel when one of three brokers dies and comes back: {@link
 * io.headpond.bench.failure.FailureBench} kills real brokers of real clusters.
 */
package io.headpond.bench.failure;
