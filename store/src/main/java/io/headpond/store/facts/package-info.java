// SPDX-License-Identifier: Apache-2.0

/**
 * The facts of a store: its counts, latencies, incidents and lasting conditions, the snapshot of
 * them that metrics and pages are made from, and the time by which all of the store goes.
 */
package io.headpond.store.facts;
