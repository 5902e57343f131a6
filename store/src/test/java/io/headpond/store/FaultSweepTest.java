// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.FaultSweep.Played;
import io.headpond.store.ModelFaults.Call;
import io.headpond.store.ModelFaults.Fault;
import io.headpond.store.ModelRun.Setup;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call that the store makes of its devices fails in turn, once and from then on: by an I/O
 * error, and where it takes space, for want of it. {@link FaultRun} says what must hold.
 *
 * <p>{@code -Dheadpond.test.faults=N} tries so many of each set-up, chosen by {@code
 * -Dheadpond.test.seed=S}; {@code all} tries all.
 */
@Tag("simulation")
class FaultSweepTest {
  private static final String HOW_MANY = System.getProperty("headpond.test.faults", "8");
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final long SCRIPT = 7;
  private static final int SCRIPTS_TO_FIND_MAX = 20;
  private static final ModelDisk.Defect NONE = new ModelDisk.Defect() {};

  static Stream<Setup> setups() {
    return Stream.of(
        Setup.of(true, "dax", "file"),
        Setup.of(false, "file"),
        Setup.of(true, "file"),
        Setup.of(true, "dax").withPooling(),
        Setup.of(true, "growing"));
  }

  @ParameterizedTest
  @MethodSource("setups")
  void whateverFailsNothingAcknowledgedIsLost(final Setup setup) throws Exception {
    final long seed = SEED == null ? System.nanoTime() : SEED;
    final FaultSweep sweep = new FaultSweep(setup, SCRIPT, NONE);
    final List<Fault> all = sweep.faults();
    Collections.shuffle(all, new Random(seed));
    final int many = HOW_MANY.equals("all") ? all.size() : Integer.parseInt(HOW_MANY);
    int struck = 0;
    int told = 0;
    for (final Fault fault : all.subList(0, Math.min(many, all.size()))) {
      final Played played = sweep.play(fault);
      assertThat(played.failure()).as("%s, seed %d", setup, seed).isNull();
      struck += played.struck() ? 1 : 0;
      told += played.told() ? 1 : 0;
    }
    System.out.printf(
        "%s: %d of %d faults (seed %d), %d struck, %d told to the engine%n",
        setup, Math.min(many, all.size()), all.size(), seed, struck, told);
    assertThat(struck).isPositive();
  }

  /** Failures that once did harm. */
  @ParameterizedTest
  @CsvSource({
    "FORCE, BackingFile.force, 1 2, 120",
    "FORCE, SegmentFile.forceOnce, 1 2, 12",
    "FORCE, DirectoryForce.lead, 1 2, 24",
    "FORCE, SegmentFile.forceOnceHere, 5, 8",
    "ATTRIBUTES, SegmentLookup.names, 1 2, 5",
    "ATTRIBUTES, LogDirScan.partitions, 1 2, 4",
    "LIST, OrphanSweep.quarantineOrphans, 1 2, 1",
    "MAKE_DIRECTORY, FilePool, 1 4, 1",
  })
  void aCallWhoseFailureOnceDidHarmDoesNoneAnyMore(
      final Call call, final String caller, final String numbers, final int oneIn)
      throws Exception {
    final List<Setup> setups = setups().toList();
    int struck = 0;
    for (final String number : numbers.split(" ")) {
      final Setup setup = setups.get(Integer.parseInt(number) - 1);
      final FaultSweep sweep = new FaultSweep(setup, SCRIPT, NONE);
      final List<Fault> there =
          sweep.faults().stream()
              .filter(fault -> fault.site().call() == call)
              .filter(fault -> fault.site().caller().contains(caller))
              .toList();
      for (int i = 0; i < there.size(); i += oneIn) {
        final Played played = sweep.play(there.get(i));
        assertThat(played.failure()).isNull();
        struck += played.struck() ? 1 : 0;
      }
    }
    assertThat(struck).isPositive();
  }

  /** Its bytes may be in the page cache alone, and its source goes. */
  @Test
  void aCopyWhoseForceFailedIsNoSegment() throws Exception {
    final FaultSweep sweep = new FaultSweep(Setup.of(false, "file"), SCRIPT, NONE);
    int struck = 0;
    for (final Fault fault : sweep.faults()) {
      if (fault.site().call() == Call.FORCE
          && fault.site().caller().contains("SegmentCopy.force")) {
        final Played played = sweep.play(fault);
        assertThat(played.failure()).isNull();
        struck += played.struck() ? 1 : 0;
      }
    }
    assertThat(struck).isPositive();
  }

  @Test
  void aForceThatFailedAndIsTrustedIsFound() throws Exception {
    assertFound(
        new ModelDisk.Defect() {
          @Override
          public boolean trustsFailedForce() {
            return true;
          }
        },
        fault -> fault.site().call() == Call.FORCE,
        "after a power cut");
  }

  @Test
  void anOrphanThatGoesBeforeItsNameDoesIsFound() throws Exception {
    assertFound(
        new ModelDisk.Defect() {
          @Override
          public boolean skipsForce() {
            return StoreModelTest.within("OrphanSweep", "forceNames");
          }
        },
        fault ->
            fault.site().call() == Call.OPEN && fault.site().caller().contains("DirectoryForce"),
        "which is not there");
  }

  /** Some fault of some script shows it: how threads take turns is left to chance. */
  private static void assertFound(
      final ModelDisk.Defect defect, final Predicate<Fault> wanted, final String words)
      throws Exception {
    final Setup setup = Setup.of(true, "file");
    for (int script = 1; script <= SCRIPTS_TO_FIND_MAX; script++) {
      final FaultSweep sweep = new FaultSweep(setup, script, defect);
      for (final Fault fault : new FaultSweep(setup, script, NONE).faults()) {
        if (wanted.test(fault)) {
          final String failure = sweep.play(fault).failure();
          if (failure != null && failure.contains(words)) {
            System.out.println("found: " + failure.lines().findFirst().orElseThrow());
            return;
          }
        }
      }
    }
    throw new AssertionError("the defect was not found in " + SCRIPTS_TO_FIND_MAX + " scripts");
  }
}
