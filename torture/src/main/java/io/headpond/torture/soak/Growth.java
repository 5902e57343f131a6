// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * The memory of one process over a time in which it isn't restarted. The first third is its
 * warm-up: code, caches and pools of buffers come to their size. What it holds in the last third
 * should be what it holds in the middle one. One thread.
 */
final class Growth {
  /** Fewer say nothing. */
  static final int SAMPLES_MIN = 30;

  private final List<Long> samples = new ArrayList<>();

  void add(long bytes) {
    samples.add(bytes);
  }

  /** True if there are enough samples. */
  boolean known() {
    return samples.size() >= SAMPLES_MIN;
  }

  /** The median of the last third less that of the middle one, bytes. */
  long bytes() {
    int third = samples.size() / 3;
    return median(samples.subList(samples.size() - third, samples.size()))
        - median(samples.subList(third, samples.size() - third));
  }

  private static long median(List<Long> of) {
    return of.stream().sorted().skip(of.size() / 2).findFirst().orElseThrow();
  }
}
