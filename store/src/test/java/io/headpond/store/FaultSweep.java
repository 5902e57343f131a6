// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.ModelFaults.Fault;
import io.headpond.store.ModelFaults.Site;
import io.headpond.store.ModelRun.Setup;
import io.headpond.store.ModelThrowables.Kind;
import io.headpond.store.ModelThrowables.Throw;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Plays {@link FaultRun}s one after the other, each with another fault. */
final class FaultSweep {
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(60);

  private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final Setup setup;
  private final long script;
  private final ModelDisk.Defect defect;

  FaultSweep(final Setup setup, final long script, final ModelDisk.Defect defect) {
    this.setup = setup;
    this.script = script;
    this.defect = defect;
  }

  /**
   * What became of a run.
   *
   * @param failure null: all was as it must be
   */
  record Played(
      Map<Site, Integer> calls,
      Map<String, Integer> outside,
      boolean struck,
      boolean told,
      String failure) {}

  /** All that can fail, as a run without a fault shows. */
  List<Fault> faults() throws Exception {
    final Played played = playWithout();
    final List<Fault> faults = new ArrayList<>();
    played.calls.forEach((site, count) -> faults.addAll(ModelFaults.faults(site, count)));
    return faults;
  }

  private Played playWithout() throws Exception {
    final Played played = playWith(null, null);
    if (played.failure != null) {
      throw new AssertionError("without any fault: " + played.failure);
    }
    return played;
  }

  /**
   * All that can throw, as a run without anything shows. The first call of each site throws all
   * kinds, the later ones one each, in turn.
   */
  List<Throw> throwables() throws Exception {
    final List<Throw> all = new ArrayList<>();
    playWithout()
        .outside
        .forEach(
            (site, count) -> {
              final List<Kind> kinds = kinds(site);
              kinds.forEach(kind -> all.add(new Throw(site, 1, kind)));
              for (int number = 2; number <= count; number++) {
                all.add(new Throw(site, number, kinds.get(number % kinds.size())));
              }
            });
    return all;
  }

  private static List<Kind> kinds(final String site) {
    final List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    if (!site.startsWith(ModelFaults.Call.MAP.name())
        && !site.startsWith(ModelFaults.Call.STORE.name())) {
      kinds.remove(Kind.INTERNAL);
    }
    return kinds;
  }

  Played play(final Fault fault) throws Exception {
    return playWith(fault, null);
  }

  Played play(final Throw thrown) throws Exception {
    return playWith(null, thrown);
  }

  /** One run, in a group of its own, so that no thread of it is overlooked. */
  private Played playWith(final Fault fault, final Throw thrown) throws Exception {
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final ThreadGroup group =
        new ThreadGroup("fault") {
          @Override
          public void uncaughtException(final Thread thread, final Throwable e) {
            failure.compareAndSet(null, new AssertionError(thread.getName() + " died: " + e, e));
          }
        };
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true));
    final FaultRun run = new FaultRun(setup, script, fault, thrown, defect);
    try {
      final Thread engine = new Thread(group, () -> play(run, failure), ModelFaults.ENGINE);
      engine.start();
      awaitNone(group, failure);
      return new Played(
          run.calls(),
          run.outside(),
          run.struck(),
          run.told(),
          report(thrown == null ? fault : thrown, run, failure.get(), said));
    } finally {
      System.setErr(before);
      close(run, failure.get() != null);
    }
  }

  /** Threads may still go on after a failure, which is what must be told. */
  private static void close(final FaultRun run, final boolean failed) throws IOException {
    try {
      run.close();
    } catch (final IOException | RuntimeException | Error e) {
      if (!failed) {
        throw e;
      }
    }
  }

  private static void play(final FaultRun run, final AtomicReference<Throwable> failure) {
    try {
      run.play();
    } catch (final IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void awaitNone(final ThreadGroup group, final AtomicReference<Throwable> failure) {
    final long deadline = System.currentTimeMillis() + PATIENCE_MS;
    while (group.activeCount() > 0 && failure.get() == null) {
      if (System.currentTimeMillis() > deadline) {
        final Thread[] threads = new Thread[group.activeCount() + 1];
        group.enumerate(threads);
        failure.set(
            new AssertionError(
                threads[0] + " hangs, or is left: " + List.of(threads[0].getStackTrace())));
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  private static String report(
      final Object fault,
      final FaultRun run,
      final Throwable failure,
      final ByteArrayOutputStream said) {
    if (failure == null) {
      return null;
    }
    final StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return fault + ": " + failure + "\nsteps:\n  " + run.steps() + "\n" + trace + "said: " + said;
  }
}
