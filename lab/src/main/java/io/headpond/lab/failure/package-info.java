// SPDX-License-Identifier: Apache-2.0
/**
 * The effect on publishers when one of three brokers or bookies dies and comes back: {@link
 * io.headpond.lab.failure.FailureBench} kills real nodes of real clusters. A {@link
 * io.headpond.lab.failure.FailureCluster} is three nodes of one variant, a {@link
 * io.headpond.lab.failure.NodeOutage} the death and return of one of them under a load; either has
 * an implementation for brokers and one for bookies.
 */
package io.headpond.lab.failure;
