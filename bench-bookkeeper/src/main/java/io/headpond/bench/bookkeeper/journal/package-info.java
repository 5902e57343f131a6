// SPDX-License-Identifier: Apache-2.0

/**
 * The process behind {@code io.headpond.bench.journal}: BookKeeper's own journal, with the class
 * path of its release.
 */
package io.headpond.bench.bookkeeper.journal;
