// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what must come true, and no longer. */
public final class Await {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Await() {}

  /** Looks every 5 ms; after 30 s it is an assertion error. */
  public static void until(final Callable<Boolean> condition) throws Exception {
    final long deadline = System.nanoTime() + LIMIT_NANOS;
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("waited 30 s").isLessThan(deadline);
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
