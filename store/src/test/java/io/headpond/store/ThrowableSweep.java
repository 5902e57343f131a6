// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.FaultSweep.Played;
import io.headpond.store.ModelRun.Setup;
import io.headpond.store.ModelThrowables.Throw;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Plays one run after the other, in each of which another call throws. Called by name, in classes
 * that ask {@link OutsideCalls} for threads, tasks and memory.
 */
public final class ThrowableSweep {
  static final long SCRIPT = 7;

  private static final List<Setup> SETUPS =
      List.of(
          Setup.of(true, "dax", "file"),
          Setup.of(false, "dax", "file").threshold(0.4),
          Setup.of(true, "growing"),
          Setup.of(true, "dax").withPooling());

  /** Of the set-ups: tiers that promise every append. */
  static final int APPENDS = 0;

  /** Of the set-ups: threads of the store's own migrate. */
  static final int MIGRATES = 1;

  static final int SETUP_COUNT = SETUPS.size();

  private static final Set<String> BESIDES_FILES = Set.of("THREAD", "TASK", "MEMORY");

  private ThrowableSweep() {}

  /**
   * Lets calls of one set-up throw.
   *
   * @param howMany a number, or {@code all}
   * @return what was tried
   * @throws AssertionError if something acknowledged was lost
   */
  public static String sweep(final int index, final String howMany, final long seed)
      throws Exception {
    final Setup setup = SETUPS.get(index);
    final FaultSweep sweep = new FaultSweep(setup, SCRIPT, new ModelDisk.Defect() {});
    final List<Throw> all = sweep.throwables();
    Collections.shuffle(all, new Random(seed));
    final int many =
        howMany.equals("all") ? all.size() : Math.min(all.size(), Integer.parseInt(howMany));
    int struck = 0;
    int told = 0;
    for (final Throw thrown : all.subList(0, many)) {
      final Played played = sweep.play(thrown);
      if (played.failure() != null) {
        throw new AssertionError(setup + ", seed " + seed + ": " + played.failure());
      }
      struck += played.struck() ? 1 : 0;
      told += played.told() ? 1 : 0;
    }
    if (struck == 0) {
      throw new AssertionError(setup + ", seed " + seed + ": none of " + many + " was met");
    }
    return String.format(
        "%s: %d of %d throwables (%d of all besides files, seed %d), %d struck, %d told to the"
            + " engine",
        setup,
        many,
        all.size(),
        all.stream().filter(ThrowableSweep::besidesFiles).count(),
        seed,
        struck,
        told);
  }

  /**
   * Lets each thread, task and piece of memory fail until a run fails.
   *
   * @return what it said; null if none did
   */
  public static String find(final int index) throws Exception {
    final FaultSweep sweep = new FaultSweep(SETUPS.get(index), SCRIPT, new ModelDisk.Defect() {});
    for (final Throw thrown : sweep.throwables()) {
      if (besidesFiles(thrown)) {
        final String failure = sweep.play(thrown).failure();
        if (failure != null) {
          return failure.lines().findFirst().orElseThrow();
        }
      }
    }
    return null;
  }

  private static boolean besidesFiles(final Throw thrown) {
    return BESIDES_FILES.contains(thrown.site().substring(0, thrown.site().indexOf(' ')));
  }
}
