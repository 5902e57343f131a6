// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.FaultSweep.Played;
import io.headpond.store.ModelRun.Setup;
import io.headpond.store.ModelThrowables.Throw;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call by which the store leaves its own code throws in turn what nobody declares: {@link
 * OutOfMemoryError}, {@link StackOverflowError}, an unchecked exception, and where a mapping is
 * involved {@link InternalError}. {@link FaultRun} says what must hold.
 *
 * <p>{@code -Dheadpond.test.faults=N} tries so many of each set-up, chosen by {@code
 * -Dheadpond.test.seed=S}; {@code all} tries all.
 */
class ThrowableSweepTest {
  private static final String HOW_MANY = System.getProperty("headpond.test.faults", "12");
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final long SCRIPT = 7;
  private static final ModelDisk.Defect NONE = new ModelDisk.Defect() {};

  static Stream<Setup> setups() {
    return Stream.of(
        Setup.of(true, "dax", "file"),
        Setup.of(false, "dax", "file").threshold(0.4),
        Setup.of(true, "mapped"),
        Setup.of(true, "dax").withRecycling());
  }

  @ParameterizedTest
  @MethodSource("setups")
  void whateverThrowsNothingAcknowledgedIsLost(final Setup setup) throws Exception {
    final long seed = SEED == null ? System.nanoTime() : SEED;
    final FaultSweep sweep = new FaultSweep(setup, SCRIPT, NONE);
    final List<Throw> all = sweep.throwables();
    Collections.shuffle(all, new Random(seed));
    final int many = HOW_MANY.equals("all") ? all.size() : Integer.parseInt(HOW_MANY);
    int struck = 0;
    int told = 0;
    for (final Throw thrown : all.subList(0, Math.min(many, all.size()))) {
      final Played played = sweep.play(thrown);
      assertThat(played.failure()).as("%s, seed %d", setup, seed).isNull();
      struck += played.struck() ? 1 : 0;
      told += played.told() ? 1 : 0;
    }
    System.out.printf(
        "%s: %d of %d throwables (seed %d), %d struck, %d told to the engine%n",
        setup, Math.min(many, all.size()), all.size(), seed, struck, told);
    assertThat(struck).isPositive();
  }

  @Test
  void aSwitchInMemoryWithoutItsRenameIsFound() throws Exception {
    final ModelDisk.Defect defect =
        new ModelDisk.Defect() {
          @Override
          public boolean keepsName(final Path name) {
            return StoreModelTest.within("SegmentSwitch", "run");
          }
        };
    final Played played = new FaultSweep(Setup.of(true, "file"), SCRIPT, defect).play((Throw) null);
    assertThat(played.failure()).isNotNull();
    System.out.println("found: " + played.failure().lines().findFirst().orElseThrow());
  }
}
