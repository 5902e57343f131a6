// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of what an engine does, with migrations, restarts and power cuts at any instant,
 * against a model in plain memory. See {@link ModelDisk} for what a power cut does.
 *
 * <p>{@code -Dheadpond.test.model.seconds=N} for more of each, {@code -Dheadpond.test.seed=S} to
 * begin with that seed.
 */
class StoreModelTest {
  private static final long SECONDS = Long.getLong("headpond.test.model.seconds", 7);
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final int WORKERS = SEED == null ? Runtime.getRuntime().availableProcessors() : 1;
  private static final int STEPS = 40;
  private static final long SEEDS_TO_FIND_MAX = 200;

  @Test
  void aFileTierThatPromisesEveryAppendKeepsIt() throws Exception {
    run(new Setup(List.of("file"), true, -1));
  }

  @Test
  void aFileTierThatPromisesWhatWasForcedKeepsThat() throws Exception {
    run(new Setup(List.of("file"), false, -1));
  }

  @Test
  void aMappedTierAboveAFileTierKeepsEveryAppend() throws Exception {
    run(new Setup(List.of("pmem", "file"), true, -1));
  }

  @Test
  void twoMappedTiersThatPromiseWhatWasForcedKeepThat() throws Exception {
    run(new Setup(List.of("pmem", "pmem"), false, -1));
  }

  @Test
  void tiersThatMigrateByThemselvesKeepEveryAppend() throws Exception {
    run(new Setup(List.of("pmem", "file"), true, 0.4));
  }

  @Test
  void aMigrationThatDoesNotForceItsCopyIsFound() throws Exception {
    assertFound(
        "were promised",
        () ->
            new ModelDisk.Defect() {
              @Override
              public boolean skipsForce() {
                return within("SegmentCopy", "force");
              }
            });
  }

  @Test
  void aMigrationWhoseSourceGoesBeforeItsRenameWasForcedIsFound() throws Exception {
    assertFound(
        "which is not there",
        () ->
            new ModelDisk.Defect() {
              @Override
              public boolean leavesOut(final String renamedFrom) {
                return SegmentMove.isTemporary(renamedFrom);
              }
            });
  }

  @Test
  void aMigrationThatDeletesItsSourceBeforeTheRenameIsFound() throws Exception {
    assertFound(
        "which is not there",
        () ->
            new ModelDisk.Defect() {
              @Override
              public Path losesBefore(final Path source, final Path target) throws IOException {
                return within("SegmentMigration", "publish") && Files.isSymbolicLink(target)
                    ? Files.readSymbolicLink(target)
                    : null;
              }
            });
  }

  @Test
  void aMigrationThatForgetsWhatWasAppendedMeanwhileIsFound() throws Exception {
    assertFound(
        "differ from",
        () ->
            new ModelDisk.Defect() {
              private final Map<ModelDisk.Node, Long> first = new ConcurrentHashMap<>();

              @Override
              public long size(final ModelDisk.Node node, final long bytes) {
                return within("SegmentMigration", "copy") && !within("SegmentCopy", "checkLength")
                    ? Math.min(bytes, first.computeIfAbsent(node, found -> bytes))
                    : bytes;
              }
            });
  }

  /** Is the method among those that led here? */
  private static boolean within(final String type, final String method) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().endsWith("." + type)
                            && frame.getMethodName().equals(method)));
  }

  /** Some seed fails with these words. */
  private static void assertFound(final String words, final Supplier<ModelDisk.Defect> defect)
      throws Exception {
    final String[] found = new String[1];
    quietly(
        () -> {
          for (long seed = 1; seed <= SEEDS_TO_FIND_MAX && found[0] == null; seed++) {
            found[0] = failure(seed, words, defect);
          }
          return null;
        });
    System.out.println("found: " + found[0]);
    assertThat(found[0]).as("%d seeds", SEEDS_TO_FIND_MAX).isNotNull();
  }

  private static String failure(
      final long seed, final String words, final Supplier<ModelDisk.Defect> defect) {
    try {
      run(new Setup(List.of("file"), true, -1), seed, defect, new Tally());
      return null;
    } catch (final AssertionError e) {
      final String said = e.getMessage().lines().findFirst().orElseThrow();
      return said.contains(words) ? said : null;
    }
  }

  private static void run(final Setup setup) throws Exception {
    final long first = SEED == null ? System.nanoTime() : SEED;
    System.out.println(setup + ": first seed " + first);
    final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    final AtomicLong next = new AtomicLong(first);
    final Tally tally = new Tally();
    final AtomicBoolean failed = new AtomicBoolean();
    final Callable<Void> worker =
        () -> {
          try {
            do {
              run(setup, next.getAndIncrement(), () -> new ModelDisk.Defect() {}, tally);
            } while (System.nanoTime() < deadline && !failed.get());
          } catch (final AssertionError e) {
            failed.set(true);
            throw e;
          }
          return null;
        };
    quietly(() -> allOf(worker));
    System.out.printf("%s: %d seeds, %s%n", setup, next.get() - first, tally);
    assertThat(tally.looks.sum()).as("power cuts").isPositive();
    assertThat(tally.moves.sum()).as("moves").isPositive();
  }

  private static Void allOf(final Callable<Void> worker) throws Exception {
    final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    try {
      for (final Future<Void> done : workers.invokeAll(Collections.nCopies(WORKERS, worker))) {
        done.get();
      }
      return null;
    } catch (final ExecutionException e) {
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    } finally {
      workers.shutdown();
    }
  }

  /** What the runs came to. */
  private static final class Tally {
    final LongAdder looks = new LongAdder();
    final LongAdder moves = new LongAdder();
    final LongAdder evacuations = new LongAdder();

    @Override
    public String toString() {
      return String.format(
          "%d power cuts looked at, %d segments migrated, %d evacuated",
          looks.sum(), moves.sum(), evacuations.sum());
    }
  }

  /** A start after a power cut says much; only a single seed is let speak. */
  private static void quietly(final Callable<Void> action) throws Exception {
    final PrintStream before = System.err;
    if (SEED == null) {
      System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }
    try {
      action.call();
    } finally {
      System.setErr(before);
    }
  }

  private static void run(
      final Setup setup,
      final long seed,
      final Supplier<ModelDisk.Defect> defect,
      final Tally tally) {
    Supplier<String> steps = () -> "";
    try (ModelRun run = new ModelRun(setup, seed)) {
      run.disk.plant(defect.get());
      try (ModelEngine engine = new ModelEngine(run, seed)) {
        steps = engine::steps;
        for (int i = 0; i < STEPS; i++) {
          engine.step();
        }
        engine.finish();
        tally.moves.add(engine.moves());
      }
      run.stop();
      tally.looks.add(run.looks());
      tally.moves.add(run.moves());
      tally.evacuations.add(run.evacuations());
    } catch (final Exception | AssertionError e) {
      throw new AssertionError(
          String.format("%s, seed %d: %s%nsteps:%n  %s%n", setup, seed, e, steps.get()), e);
    }
  }
}
