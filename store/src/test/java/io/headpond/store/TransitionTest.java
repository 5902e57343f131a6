// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.StoreModelTest.Tally;
import io.headpond.store.home.BallastSteps;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Simulated power cuts come into the middle of everything that the store does: a list made of its
 * byte code, so that a new step is missing until it is aimed at.
 */
@Tag("simulation")
class TransitionTest {
  private static final SortedSet<String> CHANGING =
      ProductCalls.changing(Path.of("target/classes"), Path.of("../pmem/target/classes"));

  private static final List<Setup> SETUPS =
      List.of(
          Setup.of(true, "file"),
          Setup.of(false, "dax", "file"),
          Setup.of(true, "dax").withPooling(),
          Setup.of(true, "growing"),
          Setup.of(true, "dax", "growing").threshold(0.4));

  private static final int CUTS_MIN = 5;
  private static final long BALLAST_BYTES = 4 << 20;
  private static final int RUNS_MAX = 5_000;
  private static final List<Transition> RARE =
      List.of(Transition.MOVE_DISCARD, Transition.TRUNCATION, Transition.EVACUATION);

  private static final int APPEND_BYTES_MAX = 6_000;
  private static final int LARGE_APPEND_BYTES_MAX = 90_000;
  private static final int APPENDS = 32;

  /** Of these one in 24 is a cut. */
  private static final int EVENTS = 200;

  @Test
  void everyChangeOfADeviceBelongsToATransition() {
    final List<String> free =
        CHANGING.stream()
            .filter(place -> Arrays.stream(Transition.values()).noneMatch(it -> it.has(place)))
            .toList();
    assertThat(free).isEmpty();
  }

  @Test
  void thePowerGoesInTheMiddleOfEveryTransition() throws Exception {
    final CutPlaces places = new CutPlaces(CHANGING);
    ballast(places);
    homeFiles(places);
    rareMoves(places);
    final long first = System.nanoTime();
    final long end = first + RUNS_MAX; // not a time: a loaded machine only takes longer
    StoreModelTest.quietly(
        () -> {
          for (long seed = first; tooFew(places).size() > 0 && seed < end; seed++) {
            final Setup setup = SETUPS.get((int) Math.floorMod(seed, (long) SETUPS.size()));
            StoreModelTest.run(setup, seed, () -> new ModelDisk.Defect() {}, new Tally(places));
          }
          return null;
        });
    System.out.println("cuts in the middle of: " + places.transitions());
    System.out.println("cuts before: " + places.calls());
    assertThat(tooFew(places)).as("cut fewer than %d times, seed %d", CUTS_MIN, first).isEmpty();
  }

  /**
   * A truncation takes away what a move has copied, so the copy goes, and a tier has no room for a
   * segment that grows: by chance a cut seldom comes into the middle of either.
   */
  private static void rareMoves(final CutPlaces places) throws Exception {
    try (ModelRun run = new ModelRun(Setup.of(true, "file"), 1)) {
      run.atCuts(places::cut);
      run.start();
      run.disk.schedule(
          (call, path, made) -> {
            if (!made && RARE.stream().anyMatch(each -> few(places, each) && isWithin(each))) {
              for (int i = 0; i < EVENTS; i++) {
                run.disk.event();
              }
            }
          });
      final EngineLog log = new EngineLog(run, new ModelScript(1), "home0/t-0");
      for (int rolls = 0; RARE.stream().anyMatch(each -> few(places, each)); rolls++) {
        assertThat(rolls).isLessThan(RUNS_MAX);
        log.roll();
        final EngineSegment grows = log.last();
        grows.append(APPEND_BYTES_MAX);
        run.store().migration(bytes -> grows.truncate()).move(run.path(grows.name), null, true);
        for (int i = 0; i < APPENDS && few(places, Transition.EVACUATION); i++) {
          grows.append(LARGE_APPEND_BYTES_MAX);
        }
        log.deleteFirst();
        log.deleteFiles();
      }
      log.close();
      run.check();
      run.stop();
    }
  }

  private static boolean isWithin(final Transition rare) {
    return switch (rare) {
      case MOVE_DISCARD -> StoreModelTest.within("SegmentMigration", "discard");
      case TRUNCATION -> StoreModelTest.within("SegmentAccess", "truncate");
      default -> StoreModelTest.within("Evacuation", "run");
    };
  }

  private static boolean few(final CutPlaces places, final Transition transition) {
    return places.transitions().get(transition) < CUTS_MIN;
  }

  /** It begins when a store has long been at rest; whatever a cut left of it is used. */
  private static void ballast(final CutPlaces places) throws Exception {
    final Path root = Files.createTempDirectory("headpond-ballast").toRealPath();
    try (ModelDisk disk = new ModelDisk()) {
      final Path kernel = Files.createDirectory(root.resolve("kernel"));
      final Path home = Files.createDirectory(root.resolve("home"));
      disk.add(home, false);
      final Path logDir = new ModelFileSystem(disk, kernel).wrap(home);
      final Random random = new Random(1);
      for (int i = 0; i < CUTS_MIN; i++) {
        final BallastSteps ballast = new BallastSteps(logDir, BALLAST_BYTES);
        disk.listen(places::cut);
        assertThat(ballast.takeAndGiveBack()).isPositive();
        disk.listen(() -> {});
        disk.restore(disk.cut(random));
      }
    } finally {
      StoreFixture.remove(root);
    }
  }

  private static void homeFiles(final CutPlaces places) throws Exception {
    try (ModelRun run =
        new ModelRun(Setup.of(false, "file"), 1).with("headpond.home.ballast", "64MiB")) {
      run.start();
      try (FileChannel channel =
          run.store().openAtHome(run.path("home0/checkpoint"), StoreFixture.CREATE)) {
        run.disk.listen(places::cut);
        for (int i = 0; i < CUTS_MIN; i++) {
          StoreFixture.append(channel, StoreFixture.bytes(100, i));
          channel.force(true);
          channel.truncate(10);
        }
        run.disk.listen(() -> {});
      }
    }
  }

  private static SortedSet<Transition> tooFew(final CutPlaces places) {
    return places.transitions().entrySet().stream()
        .filter(each -> each.getValue() < CUTS_MIN)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
