// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.time.Duration;

/**
 * Limits of time for engines that run slower than the machine, as in an emulator: {@code
 * -Dheadpond.test.patience=N} makes each N times as long.
 */
public final class Patience {

  private static final int FACTOR = Math.max(1, Integer.getInteger("headpond.test.patience", 1));

  private Patience() {}

  /** So many seconds, times the factor. */
  public static Duration ofSeconds(long seconds) {
    return Duration.ofSeconds(seconds).multipliedBy(FACTOR);
  }
}
