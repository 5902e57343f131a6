// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A short story of a store whose end only a certain force protects, played on simulated devices
 * with looks at what power cuts would leave. What chance alone brings about too seldom is arranged
 * here: a thread is held up, a kill comes at one place.
 */
enum CutScenario {
  /**
   * The process is killed after the engine has deleted a partition and before the log directory was
   * forced. The next one finds the partition's tier files without a name.
   */
  DELETED_PARTITION {
    @Override
    long play(final long seed, final ModelDisk.Defect defect) throws Exception {
      try (ModelRun run = new ModelRun(ModelRun.Setup.of(true, "file"), seed)) {
        run.disk.plant(defect);
        run.start();
        final EngineLog log = new EngineLog(run, new ModelScript(seed), "home0/t-0");
        log.roll();
        log.last().append(APPEND_BYTES_MAX);
        run.disk.schedule(
            (call, path, made) -> hold("headpond-reclaim", () -> !run.dead(), Long.MAX_VALUE));
        log.delete();
        run.killAfter(0);
        run.disk.event();
        run.restore();
        run.start();
        look(run);
        run.check();
        return run.looks();
      }
    }
  },

  /**
   * A tier has no room for a segment that grows. The force of the name that was begun beside its
   * move comes late: after the deletion of the former file, where nothing else holds that up.
   */
  EVACUATION {
    @Override
    long play(final long seed, final ModelDisk.Defect defect) throws Exception {
      try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), seed)) {
        final LateNames late = new LateNames(run, defect);
        run.disk.plant(late);
        run.start();
        run.disk.schedule((call, path, made) -> late.await(call, made));
        final EngineLog log = new EngineLog(run, new ModelScript(seed), "home0/t-0");
        for (int i = 0; i < ROLLS; i++) {
          log.roll();
          for (int j = 0; j < APPENDS; j++) {
            log.last().append(LARGE_APPEND_BYTES_MAX);
          }
          log.deleteFirst();
          log.deleteFiles();
        }
        log.close();
        run.check();
        run.stop();
        if (run.evacuations() == 0) {
          throw new IllegalStateException("nothing was moved out of a full tier");
        }
        return run.looks();
      }
    }
  };

  private static final int ROLLS = 3;
  private static final int APPENDS = 32;
  private static final int APPEND_BYTES_MAX = 6_000;
  private static final int LARGE_APPEND_BYTES_MAX = 90_000;

  /** Of these one in 24 is a look. */
  private static final int EVENTS = 200;

  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /**
   * Plays it.
   *
   * @return power cuts that were looked at
   * @throws AssertionError if one of them loses what it must not
   */
  abstract long play(long seed, ModelDisk.Defect defect) throws Exception;

  /** All of them, one after the other; the same. */
  static long playAll(final long seed, final ModelDisk.Defect defect) throws Exception {
    long looks = 0;
    for (final CutScenario each : values()) {
      try {
        looks += each.play(seed, defect);
      } catch (final AssertionError e) {
        throw new AssertionError(each + ", seed " + seed + ": " + e.getMessage(), e);
      }
    }
    return looks;
  }

  private static void look(final ModelRun run) {
    for (int i = 0; i < EVENTS; i++) {
      run.disk.event();
    }
  }

  private interface Condition {
    boolean holds();
  }

  /** Holds up threads whose names begin so. */
  private static void hold(final String threads, final Condition condition, final long untilNanos) {
    while (Thread.currentThread().getName().startsWith(threads)
        && condition.holds()
        && System.nanoTime() - untilNanos < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * Forces of names wait from a move out of a full tier until its source is deleted, or a while.
   */
  private static final class LateNames implements ModelDisk.Defect {
    private final ModelRun run;
    private final ModelDisk.Defect other;
    private volatile boolean moved;
    private volatile long untilNanos;

    LateNames(final ModelRun run, final ModelDisk.Defect other) {
      this.run = run;
      this.other = other;
    }

    @Override
    public boolean skipsForce() {
      return other.skipsForce();
    }

    @Override
    public void renamed(final Path source, final Path target) {
      if (StoreModelTest.within("Evacuation", "run")) {
        untilNanos = System.nanoTime() + LATE_NANOS;
        moved = true;
      }
    }

    void await(final ModelFaults.Call call, final boolean made) {
      if (moved && call == ModelFaults.Call.DELETE && made) {
        look(run);
        moved = false;
      }
      hold("headpond-names", () -> moved, untilNanos);
    }
  }
}
