// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.Omission.Finder;
import io.headpond.store.ProductCalls.Call;
import io.headpond.store.StoreModelTest.Tally;
import io.headpond.store.layout.DirectoryForce;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each force of the product that is left out is found by simulated power cuts, or {@link Omission}
 * says why not.
 *
 * <p>{@code -Dheadpond.test.omissions=N} leaves out so many, chosen by {@code
 * -Dheadpond.test.seed=S}; {@code all} each of them, which takes some minutes; parts of names, with
 * commas between them, those that have one.
 */
@Tag("simulation")
class OmissionTest {
  private static final String HOW_MANY = System.getProperty("headpond.test.omissions", "4");
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final SortedMap<String, Call> CALLS =
      ProductCalls.forces(Path.of("target/classes"), Path.of("../pmem/target/classes"));

  private static final List<Setup> SETUPS =
      List.of(
          Setup.of(true, "file"),
          Setup.of(false, "dax", "file"),
          Setup.of(false, "file"),
          Setup.of(false, "dax", "growing"),
          Setup.of(true, "growing"),
          Setup.of(true, "dax", "file").threshold(0.4),
          Setup.of(true, "dax", "file").directories(2),
          Setup.of(true, "dax").withPooling());

  /** Calls that force a directory, or a file, at once; who is told if that fails. */
  private static final Map<String, String> FORCED_BY_THEMSELVES =
      Map.ofEntries(
          Map.entry("DirectoryForce.forceAgain", "all later forces"),
          Map.entry("DirectoryForce.lead", "all later forces"),
          Map.entry("HomeIdentity.remove", "a command, beside which no engine runs"),
          Map.entry("LogChain.forceUnopened 3", "the segment, of whose file it is"),
          Map.entry("OrphanSweep.sweep", "the start, which is refused"),
          Map.entry("OrphanSweep.sweep 2", "the same"),
          Map.entry("PropertiesFile.replace 2", "all later forces, by Claim.writeIdentity"),
          Map.entry("SegmentMove.publishOrDiscard", "a command, beside which no engine runs"),
          Map.entry("SegmentMove.tier", "the same"));

  private static final int SEEDS_MAX = 300;
  private static final int CORRECT_SEEDS = 60;
  private static final int CORRECT_SCENARIOS = 10;
  private static final int SCHEDULES_MAX = 2_000;

  @Test
  void everyForceOfTheProductIsListed() {
    assertThat(Omission.names()).containsExactlyElementsOf(CALLS.keySet());
    assertThat(Omission.ALL)
        .allSatisfy(
            each ->
                assertThat(each.why().isEmpty())
                    .as(each.toString())
                    .isEqualTo(each.by() != Finder.NOTHING && each.calls().size() == 1));
  }

  /**
   * A directory is forced past {@link DirectoryForce} where that is told of a failure, or where
   * nobody relies on a later force of it.
   */
  @Test
  void whoForcesADirectoryByItselfTellsOfAFailure() {
    assertThat(
            CALLS.entrySet().stream()
                .filter(each -> each.getValue().target().equals("DirectoryForce.forceNow"))
                .map(Map.Entry::getKey))
        .containsExactlyInAnyOrderElementsOf(FORCED_BY_THEMSELVES.keySet());
  }

  @Test
  void whatIsLeftOutIsFound() throws Exception {
    final List<Omission> chosen =
        new ArrayList<>(Omission.ALL.stream().filter(each -> each.by() != Finder.NOTHING).toList());
    if (HOW_MANY.matches("\\d+")) {
      Collections.shuffle(chosen, new Random(SEED));
      chosen.subList(Integer.parseInt(HOW_MANY), chosen.size()).clear();
    } else if (!HOW_MANY.equals("all")) {
      final List<String> parts = List.of(HOW_MANY.split(","));
      chosen.removeIf(each -> parts.stream().noneMatch(each.toString()::contains));
    }
    assertThat(chosen).isNotEmpty();
    for (final Omission omission : chosen) {
      final Search search = new Search(omission);
      StoreModelTest.quietly(
          () -> {
            search.run();
            return null;
          });
      System.out.println(search);
      assertThat(search.found).as("%s, seed %d", search, SEED).isNotNull();
    }
  }

  /** The tests without a defect are {@link StoreModelTest} and {@link ScheduleTest}. */
  @Test
  void movesWithoutAnEngineLoseNothing() throws Exception {
    long looks = 0;
    for (long seed = SEED; seed < SEED + CORRECT_SEEDS; seed++) {
      looks += offline(seed, new ModelDisk.Defect() {});
    }
    assertThat(looks).isPositive();
  }

  @Test
  void scenariosOfCutsLoseNothing() throws Exception {
    final LongAdder looks = new LongAdder();
    StoreModelTest.quietly(
        () -> {
          for (long seed = SEED; seed < SEED + CORRECT_SCENARIOS; seed++) {
            looks.add(CutScenario.playAll(seed, new ModelDisk.Defect() {}));
          }
          return null;
        });
    assertThat(looks.sum()).isPositive();
  }

  private static long offline(final long seed, final ModelDisk.Defect defect) throws Exception {
    try (OfflineMoves moves = new OfflineMoves(seed)) {
      try {
        moves.play(defect);
      } catch (final AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      return moves.looks();
    }
  }

  /** Power cuts of a product without one of its forces. */
  private static final class Search implements ModelDisk.Defect {
    private final Omission omission;
    private final List<Call> calls;
    private final LongAdder leftOut = new LongAdder();
    private final Tally cuts = new Tally();
    private final ScheduleTally schedules = new ScheduleTally();
    private String found;

    Search(final Omission omission) {
      this.omission = omission;
      calls = omission.calls().stream().map(CALLS::get).toList();
    }

    @Override
    public boolean skipsForce() {
      final boolean here = calls.stream().anyMatch(Call::leadsHere);
      leftOut.add(here ? 1 : 0);
      return here;
    }

    void run() throws Exception {
      final int seeds = omission.by() == Finder.SCHEDULES ? SCHEDULES_MAX : SEEDS_MAX;
      try {
        for (long seed = 1; seed <= seeds; seed++) {
          play(seed);
        }
      } catch (final AssertionError e) {
        found = e.getMessage().lines().findFirst().orElseThrow();
      }
    }

    private void play(final long seed) throws Exception {
      switch (omission.by()) {
        case OFFLINE_CUTS -> cuts.looks.add(offline(seed, this));
        case SCENARIOS -> cuts.looks.add(CutScenario.playAll(seed, this));
        case SCHEDULES -> ScheduleRun.play(ScheduleSearch.setup(seed), seed, this, schedules);
        default -> {
          for (final Setup setup : SETUPS) {
            StoreModelTest.run(setup, seed, () -> this, cuts);
          }
        }
      }
    }

    @Override
    public String toString() {
      return String.format(
          "%s left out %d times, before it %d power cuts, %s: %s",
          omission,
          leftOut.sum(),
          cuts.looks.sum(),
          omission.by() == Finder.SCHEDULES ? schedules : omission.by(),
          found);
    }
  }
}
