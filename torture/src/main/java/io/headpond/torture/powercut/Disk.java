// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;

/** The way a guest's disks treat at a cut what they were sent and never asked to flush. */
public enum Disk {
  /** All of it stays: a raw image in the host's page cache. */
  KEEPS,

  /** Each write is kept, lost or torn by chance; simulated. */
  FORGETS;

  /** As {@code --disk} names it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return id();
  }
}
