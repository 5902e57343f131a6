// SPDX-License-Identifier: Apache-2.0

/**
 * The process behind {@code io.headpond.lab.journal}: BookKeeper's own journal, with the class path
 * of its release.
 */
package io.headpond.lab.bookkeeper.journal;
