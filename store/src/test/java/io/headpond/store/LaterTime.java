// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.facts.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's clocks, which a test lets jump forward. */
final class LaterTime implements TimeSource {
  private final AtomicLong byNanos = new AtomicLong();

  /** Lets some time pass. */
  void pass(final Duration much) {
    byNanos.addAndGet(much.toNanos());
  }

  @Override
  public long nanos() {
    return SYSTEM.nanos() + byNanos.get();
  }

  @Override
  public long millis() {
    return SYSTEM.millis() + Duration.ofNanos(byNanos.get()).toMillis();
  }
}
