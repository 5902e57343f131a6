// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.facts.TimeSource;

/** The machine's clocks, for a test of what looks so often until it gives up: no look waits. */
final class HastyTime implements TimeSource {
  @Override
  public long nanos() {
    return SYSTEM.nanos();
  }

  @Override
  public long millis() {
    return SYSTEM.millis();
  }

  @Override
  public void pause(final Object by, final long nanos) {}
}
