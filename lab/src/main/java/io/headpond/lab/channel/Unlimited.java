// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import io.headpond.pmem.Space;

/** Space without an account: the device's own limit is the only one. */
public final class Unlimited implements Space {
  @Override
  public boolean reserve(long bytes) {
    return true;
  }

  @Override
  public void release(long bytes) {}
}
