// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.layout.TierRequest.Action;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tiers that are taken out, called back, fail and are taken back in the middle of what an engine
 * does, with power cuts and kills, by a seed. {@code -Dheadpond.test.model.seconds=N} for more of
 * each, {@code -Dheadpond.test.seed=S} for one.
 */
@Tag("simulation")
final class TierLifeModelTest {
  private static final long SECONDS = Long.getLong("headpond.test.model.seconds", 3);
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final int STEPS = 50;

  private long removals;
  private long returns;
  private long looks;

  @Test
  void aTierThatComesAndGoesKeepsEveryAppend() throws Exception {
    run(Setup.of(true, "file").threshold(0.6));
  }

  @Test
  void twoTiersOfWhichOneGoesKeepWhatEachPromises() throws Exception {
    run(Setup.of(false, "dax", "file").threshold(0.6));
  }

  @Test
  void oneOfTwoDirectoriesThatFailsComesBack() throws Exception {
    run(Setup.of(true, "growing").directories(2).threshold(0.6));
  }

  private void run(final Setup setup) throws Exception {
    final long first = SEED == null ? System.nanoTime() : SEED;
    final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    long seed = first;
    do {
      final long now = seed;
      StoreModelTest.quietly(
          () -> {
            play(setup, now, () -> {});
            return null;
          });
      seed++;
    } while (SEED == null && System.nanoTime() < deadline);
    System.out.printf(
        "%s: seeds %d to %d, %d removals ended, %d directories taken back, %d power cuts looked"
            + " at%n",
        setup, first, seed - 1, removals, returns, looks);
    assertThat(looks).as("power cuts").isPositive();
    assertThat(removals + returns).as("changes").isPositive();
  }

  /** Plays seeds until so many power cuts came into the middle of a change. */
  static void play(final CutPlaces places, final int cuts) throws Exception {
    final TierLifeModelTest played = new TierLifeModelTest();
    StoreModelTest.quietly(
        () -> {
          for (long seed = 1; places.transitions().get(Transition.TIER_CHANGE) < cuts; seed++) {
            played.play(Setup.of(true, "file").threshold(0.6), seed, places::cut);
          }
          return null;
        });
  }

  private void play(final Setup setup, final long seed, final Runnable cut) {
    final Random operator = new Random(seed);
    try (ModelRun run = new ModelRun(setup, seed)) {
      run.atCuts(cut);
      try (ModelEngine engine = new ModelEngine(run, seed)) {
        try {
          for (int i = 0; i < STEPS; i++) {
            if (operator.nextInt(3) == 0) {
              change(run, operator);
            }
            engine.step();
          }
          engine.finish();
        } catch (final Exception | AssertionError e) {
          throw new AssertionError(
              String.format("%s, seed %d: %s%nsteps:%n  %s%n", setup, seed, e, engine.steps()), e);
        }
      }
      run.stop();
      looks += run.looks();
    } catch (final IOException e) {
      throw new AssertionError(setup + ", seed " + seed, e);
    }
  }

  private void change(final ModelRun run, final Random operator) {
    final List<List<TierDirectory>> tiers = run.store().tiers();
    final List<TierDirectory> tier = tiers.get(operator.nextInt(tiers.size()));
    final String name = tier.get(0).tier.name();
    final Action action = Action.values()[operator.nextInt(Action.values().length)];
    if (action == Action.RETRY) {
      tier.get(operator.nextInt(tier.size())).fail();
    }
    final TierRequest request = TierRequest.of(action, name);
    final TierAnswer begun = run.store().changes().begin(request);
    final boolean waits = action != Action.REMOVE || operator.nextBoolean();
    final TierAnswer answer = waits ? ended(run, request, begun) : begun;
    if (answer.state() == TierAnswer.State.DONE) {
      removals += action == Action.REMOVE ? 1 : 0;
      returns += action == Action.RETRY ? 1 : 0;
    }
  }

  /** A removal that finds no room is not waited for longer than a moment. */
  private static TierAnswer ended(
      final ModelRun run, final TierRequest request, final TierAnswer begun) {
    final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
    TierAnswer answer = begun;
    while (!answer.state().last()
        && (request.action() != Action.REMOVE || System.nanoTime() < deadline)) {
      run.store().changes().tick();
      Thread.onSpinWait();
      answer = run.store().changes().answer(request);
    }
    return answer;
  }
}
