// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What counts as durable while forces fail and appends come, each on a thread of its own. */
class SegmentDurabilityTest {
  private static final int ROUNDS = 200_000;

  /** The other thread steps in a microsecond, if it has a processor. */
  private static final int LOOKS = 10_000;

  private volatile boolean ended;

  private static void forceInVain(final SegmentDurability durability) {
    try {
      durability.force(
          () -> {
            throw new IOException("Input/output error");
          },
          () -> true);
    } catch (final IOException e) {
      return;
    }
    throw new AssertionError("it has succeeded");
  }

  @Test
  void whatAForceWasToMakeDurableIsUnforcedWhenItFails() {
    final SegmentDurability written = new SegmentDurability();
    written.written(false);
    forceInVain(written);
    assertThat(written.bytesForced(false)).isFalse();
    final SegmentDurability found = new SegmentDurability();
    found.found(true);
    forceInVain(found);
    assertThat(found.bytesForced(true)).isFalse();
    assertThat(found.bytesForced(false)).isTrue();
  }

  @Test
  void aForceOfAFileThatWasLeftMakesNothingDurable() throws IOException {
    final SegmentDurability durability = new SegmentDurability();
    durability.found(true);
    durability.written(false);
    durability.force(() -> {}, () -> false);
    assertThat(durability.bytesForced(false)).isFalse();
    durability.force(() -> {}, () -> true);
    assertThat(durability.bytesForced(true)).isTrue();
    durability.found(true);
    durability.force(() -> {}, () -> false);
    assertThat(durability.bytesForced(true)).isFalse();
  }

  @Test
  void nothingIsForcedWhileAForceIsUnderWay() throws IOException {
    final SegmentDurability durability = new SegmentDurability();
    durability.written(false);
    durability.force(() -> assertThat(durability.bytesForced(true)).isFalse(), () -> true);
    assertThat(durability.bytesForced(true)).isTrue();
  }

  @Test
  void anAppendBesideAForceThatFailsIsUnforced() throws Exception {
    final SegmentDurability[] durability = {new SegmentDurability()};
    final AtomicInteger steps = new AtomicInteger();
    final Thread forces =
        new Thread(
            () -> {
              for (int round = 0; !ended; round++) {
                await(steps, 2 * round + 1);
                forceInVain(durability[0]);
                steps.incrementAndGet();
              }
            });
    forces.start();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        durability[0] = new SegmentDurability();
        steps.incrementAndGet();
        for (int i = 0; i < round % 64; i++) {
          Thread.onSpinWait();
        }
        durability[0].written(false);
        await(steps, 2 * round + 2);
        assertThat(durability[0].bytesForced(true)).as("round %d", round).isFalse();
      }
    } finally {
      ended = true;
      forces.join();
    }
  }

  private void await(final AtomicInteger steps, final int step) {
    for (int looks = 0; steps.get() < step && !ended; looks++) {
      if (looks < LOOKS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(1);
      }
    }
  }
}
