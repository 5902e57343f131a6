// SPDX-License-Identifier: Apache-2.0

/**
 * A segment that has open channels: its file and how that is written, its lock, what it promises,
 * the channels through which the engine reads and writes it, and its switch to another file.
 */
package io.headpond.store.segment;
