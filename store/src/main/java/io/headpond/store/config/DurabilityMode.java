// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

/** The promise of an append when {@code write} returns ({@code headpond.durability}). */
public enum DurabilityMode {
  /** The engine's promise without Headpond. On a durable mapped tier appends are durable anyway. */
  ENGINE,
  /** Every append is durable wherever it lands: forced on disks and at home. */
  APPEND
}
