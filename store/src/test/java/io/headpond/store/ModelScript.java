// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Chance says what a {@link ModelEngine} does next, and what it did is written down. Any thread.
 */
final class ModelScript {
  private static final int STEPS_SHOWN_MAX = 40;

  private final Random random;
  private final List<String> steps = new ArrayList<>();

  ModelScript(final long seed) {
    random = new Random(seed);
  }

  int nextInt(final int bound) {
    return random.nextInt(bound);
  }

  boolean nextBoolean() {
    return random.nextBoolean();
  }

  <T> List<T> shuffled(final Collection<T> things) {
    final List<T> anyOrder = new ArrayList<>(things);
    Collections.shuffle(anyOrder, random);
    return anyOrder;
  }

  /** At least one byte, at most so many. */
  byte[] bytes(final int max) {
    final byte[] bytes = new byte[1 + random.nextInt(max)];
    new SplittableRandom(random.nextLong()).nextBytes(bytes); // eight at a time
    return bytes;
  }

  synchronized void say(final String what, final Object... with) {
    steps.add(String.format(what, with));
  }

  /** How much was done. */
  synchronized int steps() {
    return steps.size();
  }

  /** The last of what was done. */
  synchronized String last() {
    return String.join(
        "\n  ", steps.subList(Math.max(0, steps.size() - STEPS_SHOWN_MAX), steps.size()));
  }
}
