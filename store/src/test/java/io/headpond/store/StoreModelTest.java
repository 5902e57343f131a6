// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.layout.SegmentMove;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of what an engine does, with migrations, restarts and power cuts at any instant,
 * against a model in plain memory. See {@link ModelDisk} for what a power cut does.
 *
 * <p>{@code -Dheadpond.test.model.seconds=N} for more of each, or {@code
 * -Dheadpond.test.model.seeds=N} for exactly so many seeds of each; {@code -Dheadpond.test.seed=S}
 * to begin with that seed.
 */
@Tag("simulation")
class StoreModelTest {
  private static final long SECONDS = Long.getLong("headpond.test.model.seconds", 1);
  private static final Long SEEDS = Long.getLong("headpond.test.model.seeds");
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final int WORKERS = SEED == null ? Runtime.getRuntime().availableProcessors() : 1;
  private static final int STEPS = 40;
  private static final Setup FILE_TIER = Setup.of(true, "file");
  private static final Setup PMEM_ABOVE_FILES = Setup.of(false, "dax", "file");
  private static final long SEEDS_TO_FIND_MAX = 200;

  /** On a busy machine few seeds have their turn in one. */
  private static final int RUNS_TO_POOL_MAX = 10;

  @Test
  void aFileTierThatPromisesEveryAppendKeepsIt() throws Exception {
    run(Setup.of(true, "file"));
  }

  @Test
  void aFileTierThatIsNotGrownAheadKeepsEveryAppend() throws Exception {
    run(Setup.of(true, "growing"));
  }

  @Test
  void aFileTierThatPromisesWhatWasForcedKeepsThat() throws Exception {
    run(Setup.of(false, "file"));
  }

  @Test
  void persistentMemoryAboveAFileTierKeepsEveryAppend() throws Exception {
    run(PMEM_ABOVE_FILES);
  }

  @Test
  void persistentMemoryAboveGrowingFilesKeepsWhatEachPromises() throws Exception {
    run(Setup.of(false, "dax", "growing"));
  }

  @Test
  void tiersThatMigrateByThemselvesKeepEveryAppend() throws Exception {
    run(Setup.of(true, "dax", "file").threshold(0.4));
  }

  @Test
  void aTierThatIsDrainedAndUsedAgainKeepsEveryAppend() throws Exception {
    run(Setup.of(true, "dax", "file").threshold(0.4).withDraining());
  }

  @Test
  void severalLogDirectoriesAndTierDirectoriesKeepEveryAppend() throws Exception {
    run(Setup.of(true, "dax", "file").directories(2));
  }

  @Test
  void segmentsOfPreparedFilesKeepEveryAppend() throws Exception {
    long pooled = 0;
    for (int i = 0; pooled == 0 && i < RUNS_TO_POOL_MAX; i++) {
      pooled = run(Setup.of(true, "dax").withPooling()).pooled.sum();
    }
    assertThat(pooled).as("prepared files").isPositive();
  }

  @Test
  void aWriteBackWithoutAFenceIsFound() throws Exception {
    assertFound(
        Setup.of(false, "dax"),
        "in none of its",
        () ->
            new ModelDisk.Defect() {
              @Override
              public boolean skipsFence() {
                return true;
              }
            });
  }

  @Test
  void anEndThatIsPublishedBeforeTheWriteBackIsFound() throws Exception {
    assertFound(
        Setup.of(false, "dax"),
        "in none of its",
        () ->
            new ModelDisk.Defect() {
              @Override
              public boolean writesBackLate() {
                return true;
              }
            });
  }

  @Test
  void aPreparedFileWhoseZerosAreNotForcedIsFound() throws Exception {
    assertFound(
        Setup.of(true, "dax").withPooling(),
        "were promised",
        () ->
            new ModelDisk.Defect() {
              @Override
              public boolean skipsForce() {
                return within("ZeroFill", "create");
              }
            });
  }

  @Test
  void aMigrationThatDoesNotForceItsCopyIsFound() throws Exception {
    assertFound(
        FILE_TIER,
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
        FILE_TIER,
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
        FILE_TIER,
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
        FILE_TIER,
        "differ from",
        () ->
            new ModelDisk.Defect() {
              private final Map<ModelNode, Long> first = new ConcurrentHashMap<>();

              @Override
              public long size(final ModelNode node, final long bytes) {
                return within("SegmentMigration", "copy") && !within("SegmentCopy", "checkLength")
                    ? Math.min(bytes, first.computeIfAbsent(node, found -> bytes))
                    : bytes;
              }
            });
  }

  @Test
  void aPredecessorThatIsNotForcedIsFound() throws Exception {
    assertFound(
        PMEM_ABOVE_FILES,
        "a recovery ends the log there",
        () ->
            new ModelDisk.Defect() {
              @Override
              public boolean skipsForce() {
                return within("SuccessorForce", "force");
              }
            });
  }

  /** Is the method among those that led here? */
  static boolean within(final String type, final String method) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().endsWith("." + type)
                            && frame.getMethodName().equals(method)));
  }

  /** Some seed fails with these words. */
  private static void assertFound(
      final Setup setup, final String words, final Supplier<ModelDisk.Defect> defect)
      throws Exception {
    final String[] found = new String[1];
    quietly(
        () -> {
          for (long seed = 1; seed <= SEEDS_TO_FIND_MAX && found[0] == null; seed++) {
            found[0] = failure(setup, seed, words, defect);
          }
          return null;
        });
    System.out.println("found: " + found[0]);
    assertThat(found[0]).as("%d seeds", SEEDS_TO_FIND_MAX).isNotNull();
  }

  private static String failure(
      final Setup setup,
      final long seed,
      final String words,
      final Supplier<ModelDisk.Defect> defect) {
    try {
      run(setup, seed, defect, new Tally());
      return null;
    } catch (final AssertionError e) {
      final String said = e.getMessage().lines().findFirst().orElseThrow();
      return said.contains(words) ? said : null;
    }
  }

  private static Tally run(final Setup setup) throws Exception {
    final long first = SEED == null ? System.nanoTime() : SEED;
    System.out.println(setup + ": first seed " + first);
    final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    final long end = SEEDS == null ? Long.MAX_VALUE : first + SEEDS;
    final AtomicLong next = new AtomicLong(first);
    final Tally tally = new Tally();
    final AtomicBoolean failed = new AtomicBoolean();
    final Callable<Void> worker =
        () -> {
          try {
            do {
              final long seed = next.getAndIncrement();
              if (seed < end) {
                run(setup, seed, () -> new ModelDisk.Defect() {}, tally);
              }
            } while (!failed.get()
                && (SEEDS == null ? System.nanoTime() < deadline : next.get() < end));
          } catch (final AssertionError e) {
            failed.set(true);
            throw e;
          }
          return null;
        };
    quietly(() -> allOf(worker));
    System.out.printf("%s: %d seeds, %s%n", setup, tally.seeds.sum(), tally);
    assertThat(tally.looks.sum()).as("power cuts").isPositive();
    assertThat(tally.moves.sum()).as("moves").isPositive();
    return tally;
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
  static final class Tally {
    /** Null: nobody wants to know. */
    private final CutPlaces places;

    final LongAdder seeds = new LongAdder();
    final LongAdder looks = new LongAdder();
    final LongAdder kills = new LongAdder();
    final LongAdder chained = new LongAdder();
    final LongAdder moves = new LongAdder();
    final LongAdder evacuations = new LongAdder();
    final LongAdder pooled = new LongAdder();

    Tally() {
      this(null);
    }

    /** Of runs whose power cuts are told of. */
    Tally(final CutPlaces places) {
      this.places = places;
    }

    @Override
    public String toString() {
      return String.format(
          "%d power cuts looked at, %d of them with unforced segments before a promised one, %d"
              + " kills, %d segments migrated, %d evacuated, %d of prepared files",
          looks.sum(), chained.sum(), kills.sum(), moves.sum(), evacuations.sum(), pooled.sum());
    }
  }

  /** A start after a power cut says much; it is shown with a failure, and for a single seed. */
  static void quietly(final Callable<Void> action) throws Exception {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    if (SEED == null) {
      System.setErr(new PrintStream(new LastSaid(said), true));
    }
    try {
      action.call();
    } catch (final AssertionError e) {
      System.out.println("said before: " + said);
      throw e;
    } finally {
      System.setErr(before);
    }
  }

  /** Keeps the end of it. */
  private static final class LastSaid extends OutputStream {
    private static final int BYTES_MAX = 64 << 10;

    private final ByteArrayOutputStream said;

    LastSaid(final ByteArrayOutputStream said) {
      this.said = said;
    }

    @Override
    public synchronized void write(final int b) {
      if (said.size() > BYTES_MAX) {
        final byte[] all = said.toByteArray();
        said.reset();
        said.write(all, all.length / 2, all.length - all.length / 2);
      }
      said.write(b);
    }
  }

  static void run(
      final Setup setup,
      final long seed,
      final Supplier<ModelDisk.Defect> defect,
      final Tally tally) {
    Supplier<String> steps = () -> "";
    try (ModelRun run = new ModelRun(setup, seed)) {
      run.disk.plant(defect.get());
      if (tally.places != null) {
        run.atCuts(tally.places::cut);
      }
      try (ModelEngine engine = new ModelEngine(run, seed)) {
        steps = engine::steps;
        for (int i = 0; i < STEPS; i++) {
          engine.step();
        }
        engine.finish();
        tally.moves.add(engine.moves());
      }
      run.stop();
      tally.seeds.increment();
      tally.looks.add(run.looks());
      tally.chained.add(run.logs.chained());
      tally.kills.add(run.kills());
      tally.moves.add(run.moves());
      tally.evacuations.add(run.evacuations());
      tally.pooled.add(run.pooled());
    } catch (final Exception | AssertionError e) {
      throw new AssertionError(
          String.format("%s, seed %d: %s%nsteps:%n  %s%n", setup, seed, e, steps.get()), e);
    }
  }
}
