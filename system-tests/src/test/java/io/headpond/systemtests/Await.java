// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import io.headpond.harness.process.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what must come true, and no longer. */
public final class Await {

  private static final Duration LIMIT = Patience.ofSeconds(90);

  private Await() {}

  /**
   * Looks every 50 ms; after 90 s, times {@link Patience}, it is an assertion error that names
   * {@code what}.
   */
  public static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(50_000_000);
    }
  }
}
