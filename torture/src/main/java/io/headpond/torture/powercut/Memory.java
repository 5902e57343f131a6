// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;

/** The way a guest's NVDIMM treats at a cut the stores that didn't reach it. */
public enum Memory {
  /** All of them stay: the emulated processor has no cache. */
  KEEPS,

  /** Each cache line that wasn't written back and fenced is kept, lost or torn; simulated. */
  FORGETS;

  /** As {@code --memory} names it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The power domain, as of QEMU's {@code nvdimm-persistence}: with the caches, or without. */
  String persistence() {
    return this == KEEPS ? "cpu" : "mem-ctrl";
  }

  @Override
  public String toString() {
    return id();
  }
}
