// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/** What an append promises when {@code write} returns ({@code headpond.durability}). */
public enum DurabilityMode {
  /**
   * What the engine promises without Headpond; on a durable mapped tier appends are durable anyway.
   */
  ENGINE,
  /** Every append is durable wherever it lands: forced on file tiers and at home. */
  APPEND
}
