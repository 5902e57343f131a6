// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A tier becomes read-only, or full, at any of the changes that an engine's life makes there: the
 * engine is told no error, and reads what it wrote, because home has room.
 *
 * <p>{@code -Dheadpond.test.lives=N} tries so many of each kind of tier, chosen by {@code
 * -Dheadpond.test.seed=S}.
 */
final class RefusedWritesSweepTest {
  private static final int LIVES = Integer.getInteger("headpond.test.lives", 8);
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final long SCRIPT = 7;
  private static final int APPEND_BYTES_MAX = 6_000;
  private static final int LARGE_APPEND_BYTES_MAX = 90_000;

  static Stream<Setup> tiers() {
    return ReadOnlyTierTest.tiers();
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void noEngineIsToldWheneverATierBecomesReadOnly(final Setup tier) throws Exception {
    sweep(tier, "read-only", ModelFaults::makeReadOnly);
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void noEngineIsToldWheneverATierBecomesFull(final Setup tier) throws Exception {
    sweep(tier, "full", ModelFaults::fill);
  }

  private static void sweep(
      final Setup tier, final String what, final BiConsumer<ModelFaults, Path> becomes)
      throws Exception {
    final long seed = SEED == null ? System.nanoTime() : SEED;
    final Random random = new Random(seed);
    final int all = Integer.MAX_VALUE - new Life(tier, Integer.MAX_VALUE, becomes).live();
    int struck = 0;
    for (int i = 0; i < LIVES; i++) {
      final int changes = random.nextInt(all);
      final Life life = new Life(tier, changes, becomes);
      try {
        struck += life.live() < 0 ? 1 : 0;
      } catch (final IOException | RuntimeException | Error e) {
        throw new AssertionError(
            String.format(
                "%s, seed %d, %s after %d changes:%n%s",
                tier, seed, what, changes, life.script.last()),
            e);
      }
    }
    System.out.printf(
        "%s: %d lives of %d changes (seed %d), %d %s%n", tier, LIVES, all, seed, struck, what);
    assertThat(struck).isPositive();
  }

  /** One life of an engine. */
  private static final class Life {
    private final Setup tier;
    private final int changes;
    private final BiConsumer<ModelFaults, Path> becomes;
    private final ModelScript script = new ModelScript(SCRIPT);
    private final List<EngineLog> logs = new ArrayList<>();
    private ModelRun run;

    Life(final Setup tier, final int changes, final BiConsumer<ModelFaults, Path> becomes) {
      this.tier = tier;
      this.changes = changes;
      this.becomes = becomes;
    }

    /** The changes that were left. */
    int live() throws Exception {
      run = new ModelRun(tier, SCRIPT);
      try {
        run.start();
        for (int i = 0; i < 3; i++) {
          logs.add(new EngineLog(run, script, "home0/t-" + i));
        }
        final ModelFaults faults = run.disk.faults();
        final Path device = run.real("tier00");
        faults.after(changes, device, () -> becomes.accept(faults, device));
        operate();
        final int left = faults.changesLeft();
        readAll();
        for (final EngineLog log : logs) {
          log.close();
        }
        return left;
      } finally {
        run.disk.faults().heal();
        run.close();
      }
    }

    private void operate() throws IOException {
      final EngineLog a = logs.get(0);
      final EngineLog b = logs.get(1);
      final EngineLog c = logs.get(2);
      for (final EngineLog log : logs) {
        log.roll();
        log.last().append(APPEND_BYTES_MAX);
      }
      for (int i = 0; i < 3; i++) {
        a.last().append(LARGE_APPEND_BYTES_MAX);
        b.last().append(APPEND_BYTES_MAX);
        idle();
        a.roll();
        a.last().append(APPEND_BYTES_MAX);
        migrate(a.segments.firstEntry(), i == 1);
      }
      a.force(a.last());
      a.truncate();
      b.last().truncate();
      b.last().append(LARGE_APPEND_BYTES_MAX);
      a.compact(LARGE_APPEND_BYTES_MAX);
      a.deleteFiles();
      for (int i = 0; i < 6; i++) {
        c.last().append(LARGE_APPEND_BYTES_MAX);
        b.last().append(APPEND_BYTES_MAX);
      }
      c.force(c.last());
      b.roll();
      b.last().append(APPEND_BYTES_MAX);
      b.deleteFirst();
      b.deleteFiles();
      idle();
      c.delete();
      c.roll();
      c.last().append(APPEND_BYTES_MAX);
      c.last().overwrite();
      c.force(c.last());
    }

    private void idle() {
      for (final TierDirectory directory : run.store().tiers().get(0)) {
        directory.active().forEach(segment -> segment.sealIfIdle(0));
      }
    }

    /** Migration's failures are its own. */
    private void migrate(final Map.Entry<Long, EngineSegment> what, final boolean home)
        throws IOException {
      final TierDirectory to = home ? null : run.store().tiers().get(0).get(0);
      try {
        run.store().migration(copied -> {}).move(run.path(what.getValue().name), to, false);
      } catch (final IOException e) {
        script.say("migration: %s", e);
      }
      what.getValue().read();
    }

    private void readAll() throws IOException {
      for (final EngineLog log : logs) {
        for (final EngineSegment open : log.segments.values()) {
          open.check();
        }
      }
    }
  }
}
