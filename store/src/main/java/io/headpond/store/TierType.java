// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/** The way in which a tier's device is written ({@code headpond.tier.NAME.type}). */
public enum TierType {
  /** Mapped and persisted by the processor: FSDAX; tmpfs for trying out. */
  PMEM,
  /** Any file system, by read, write and force. */
  FILE
}
