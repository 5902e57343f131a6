// SPDX-License-Identifier: Apache-2.0

/**
 * The journal alone, without network and ledgers: BookKeeper's own journal with Headpond's provider
 * against its default provider, in turns, each in a JVM of its own.
 */
package io.headpond.lab.journal;
