// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * A persist back end and why it was chosen.
 *
 * @param backend how stores become durable
 * @param reason one line for status and log
 */
public record PersistChoice(PersistBackend backend, String reason) {}
