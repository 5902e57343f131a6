// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Waits until what the turn before left behind is done: an engine goes on flushing, and the kernel
 * writing back, after its load has ended, and the next one to be measured would pay for it.
 */
public final class Settling {

  /** Twenty of the kernel's ticks for each processor. */
  private static final int SAMPLE_MILLIS = 200;

  /** Quiet time of an engine that doesn't flush by a clock. */
  public static final Duration BRIEF = Duration.ofMillis(SAMPLE_MILLIS);

  private static final double ACTIVE_MAX = 0.1;

  /** Ten seconds. What is not done then is part of what the machine does all the time. */
  static final int SAMPLES_MAX = 50;

  private Settling() {}

  /** The source of the machine's load so far. */
  interface Source {
    MachineLoad soFar() throws IOException;
  }

  /**
   * Returns when the processors were nine tenths idle for so long without a break, or after ten
   * seconds.
   *
   * @param quiet longer than the engine's flushes are apart, 200 ms at least
   */
  public static void await(Duration quiet) throws IOException, InterruptedException {
    await(MachineLoad::soFar, (int) quiet.toMillis() / SAMPLE_MILLIS, SAMPLE_MILLIS);
  }

  /** Answers how many samples it took. */
  static int await(Source source, int quietSamples, int sampleMillis)
      throws IOException, InterruptedException {
    MachineLoad last = source.soFar();
    int samples = 0;
    for (int quiet = 0; quiet < quietSamples && samples < SAMPLES_MAX; samples++) {
      TimeUnit.MILLISECONDS.sleep(sampleMillis);
      MachineLoad now = source.soFar();
      quiet = now.activeShare(last) > ACTIVE_MAX ? 0 : quiet + 1;
      last = now;
    }
    return samples;
  }
}
