// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import io.headpond.pmem.Device;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import java.util.Optional;

/** The way in which a tier's device is written ({@code headpond.tier.NAME.type}). */
public enum TierType {
  /** Whichever of the others suits the device. */
  AUTO,
  /** Mapped and persisted by the processor: FSDAX; tmpfs for trying out. */
  PMEM,
  /** Any file system, by read, write and force. */
  FILE;

  /**
   * The type on a device. {@link #AUTO} becomes {@link #PMEM} on DAX and in memory, and where a
   * persist back end for them is named, else {@link #FILE}. A mapping whose pages the kernel must
   * write back ({@code msync}) costs far more than a write and a force: it is used only if it is
   * named. A back end that is named and can't be used is refused, not replaced.
   *
   * @param named the configured persist back end; empty: the best one
   */
  public TierType on(final Device device, final Optional<PersistBackend> named) {
    if (this != AUTO) {
      return this;
    }
    if (named.isPresent() && named.get() == PersistBackend.DSYNC) {
      return FILE;
    }
    return named.isPresent() || Persist.choose(device, named) != PersistBackend.MSYNC ? PMEM : FILE;
  }
}
