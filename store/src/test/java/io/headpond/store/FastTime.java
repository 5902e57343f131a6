// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.facts.TimeSource;
import java.util.concurrent.TimeUnit;

/** Clocks that go ten times as fast as the machine's, and pauses that last as long by them. */
final class FastTime implements TimeSource {
  private static final int TIMES = 10;

  private final long startNanos = SYSTEM.nanos();
  private final long startMs = SYSTEM.millis();

  private long passedNanos() {
    return TIMES * (SYSTEM.nanos() - startNanos);
  }

  @Override
  public long nanos() {
    return startNanos + passedNanos();
  }

  @Override
  public long millis() {
    return startMs + TimeUnit.NANOSECONDS.toMillis(passedNanos());
  }

  @Override
  public void pause(final Object by, final long nanos) {
    SYSTEM.pause(by, nanos / TIMES);
  }
}
