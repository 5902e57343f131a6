// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;

/** The instruction that counts for nothing in the programs of a guest whose NVDIMM forgets. */
public enum Omission {
  /** All count. */
  NONE,

  /** A cache line's write-back, or the way past the cache. */
  FLUSH,

  /** A fence. */
  FENCE;

  /** As the plugin of QEMU takes it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
