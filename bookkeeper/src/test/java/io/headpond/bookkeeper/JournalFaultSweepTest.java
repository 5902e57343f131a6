// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.JournalFaultRun.Setup;
import io.headpond.store.SimulatedDisks;
import io.headpond.store.SimulatedDisks.Fault;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call that a bookie's journal makes of its devices fails in turn: by an error of the device,
 * once and from then on, and by something thrown, as a shortage of memory. {@link JournalFaultRun}
 * says what must hold.
 *
 * <p>{@code -Dheadpond.test.faults=N} tries so many of each set-up, chosen by {@code
 * -Dheadpond.test.seed=S}; {@code all} tries all.
 */
class JournalFaultSweepTest {
  private static final String HOW_MANY = System.getProperty("headpond.test.faults", "6");
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final long SCRIPT = 7;
  private static final Consumer<SimulatedDisks> NO_DEFECT = disks -> {};

  static Stream<Setup> setups() {
    return Stream.of(
        new Setup(JournalPlace.COPYING_DISK, false),
        new Setup(JournalPlace.COPYING_DISK, true),
        new Setup(JournalPlace.MEMORY, false),
        new Setup(JournalPlace.MEMORY, true),
        new Setup(JournalPlace.DISK, false),
        new Setup(JournalPlace.DISK, true));
  }

  private static List<Fault> faults(Setup setup, Consumer<SimulatedDisks> defect)
      throws IOException {
    try (JournalFaultRun run = new JournalFaultRun(setup, SCRIPT)) {
      defect.accept(run.disks());
      run.play(null);
      assertThat(run.told()).isFalse();
      if (setup.reuse()) {
        assertThat(run.reused()).as("spares").isPositive();
      }
      return run.disks().faults();
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void whateverFailsNothingAcknowledgedIsLost(Setup setup) throws Exception {
    long seed = SEED == null ? System.nanoTime() : SEED;
    List<Fault> all = faults(setup, NO_DEFECT);
    Collections.shuffle(all, new Random(seed));
    int many = HOW_MANY.equals("all") ? all.size() : Integer.parseInt(HOW_MANY);
    int struck = 0;
    int told = 0;
    for (Fault fault : all.subList(0, Math.min(many, all.size()))) {
      try (JournalFaultRun run = new JournalFaultRun(setup, SCRIPT)) {
        run.play(fault);
        struck += run.disks().struck() ? 1 : 0;
        told += run.told() ? 1 : 0;
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(setup + ", seed " + seed + ", " + fault + ": " + e, e);
      }
    }
    System.out.printf(
        "%s: %d of %d faults (seed %d), %d struck, %d told to the journal%n",
        setup, Math.min(many, all.size()), all.size(), seed, struck, told);
    assertThat(struck).isPositive();
  }

  /** Even of room that no entry needed: such a file's next force may lie, and it may be reused. */
  @ParameterizedTest
  @EnumSource(names = {"DISK", "MEMORY"}) // where room is made ahead
  void aForceOfAJournalThatFailedEndsItsDirectory(JournalPlace place) throws Exception {
    Setup setup = new Setup(place, false);
    Predicate<Fault> growth = each -> each.toString().matches("INPUT_OUTPUT at FORCE by Un.*");
    List<Fault> all = faults(setup, NO_DEFECT).stream().filter(growth).toList();
    int struck = 0;
    for (int i = 0; i < all.size(); i += 3) {
      Fault fault = all.get(i);
      try (JournalFaultRun run = new JournalFaultRun(setup, SCRIPT)) {
        run.play(fault);
        struck += run.disks().struck() ? 1 : 0;
        boolean ended = run.told() || run.refusing();
        assertThat(ended).as("after %s", fault).isEqualTo(run.disks().struck());
      }
    }
    assertThat(struck).isPositive();
  }

  /** Of a device that is full only the journal's own bytes tell. */
  @Test
  void zerosThatFindNoRoomEndNothing() throws Exception {
    Setup setup = new Setup(JournalPlace.DISK, false);
    Predicate<Fault> zeros = each -> each.toString().matches("NO_SPACE at WRITE by .*writeZeros.*");
    List<Fault> all = faults(setup, NO_DEFECT).stream().filter(zeros).toList();
    assertThat(all).isNotEmpty();
    for (Fault fault : all) {
      try (JournalFaultRun run = new JournalFaultRun(setup, SCRIPT)) {
        run.play(fault);
        assertThat(run.told() || run.refusing()).as("told of %s", fault).isFalse();
      }
    }
  }

  /** It only has no file to be used again. */
  @Test
  void aDirectoryThatCannotBeListedEndsNothing() throws Exception {
    Setup setup = new Setup(JournalPlace.MEMORY, true);
    Predicate<Fault> lists =
        each -> each.toString().matches("INPUT_OUTPUT at LIST by .*SpareJournal.journalIds.*");
    List<Fault> all = faults(setup, NO_DEFECT).stream().filter(lists).toList();
    int struck = 0;
    for (int i = 0; i < all.size(); i += 1 + all.size() / 30) {
      try (JournalFaultRun run = new JournalFaultRun(setup, SCRIPT)) {
        run.play(all.get(i));
        struck += run.disks().struck() ? 1 : 0;
        assertThat(run.told() || run.refusing()).as("told of %s", all.get(i)).isFalse();
      }
    }
    assertThat(struck).isPositive();
  }

  /** What BookKeeper does by itself, which forces the newest file of a batch only. */
  @Test
  void aRollWhoseOlderFileIsNotForcedIsFound() throws Exception {
    assertThat(failure(disks -> disks.skipForcesWithin("JournalForces", "before"), null))
        .contains("acknowledged entries are lost");
  }

  @Test
  void aForceThatFailedAndIsTrustedIsFound() throws Exception {
    Setup setup = setups().findFirst().orElseThrow();
    Predicate<Fault> forces = each -> !each.thrown() && each.toString().contains("FORCE");
    for (Fault fault : faults(setup, NO_DEFECT).stream().filter(forces).toList()) {
      String failure = failure(SimulatedDisks::trustFailedForces, fault);
      if (failure.contains("acknowledged entries are lost")) {
        return;
      }
    }
    throw new AssertionError("not found");
  }

  /** Of the first script that shows it; empty: none does. */
  private static String failure(Consumer<SimulatedDisks> defect, Fault fault) throws IOException {
    Setup setup = setups().findFirst().orElseThrow();
    for (long seed = SCRIPT; seed < SCRIPT + (fault == null ? 20 : 1); seed++) {
      try (JournalFaultRun run = new JournalFaultRun(setup, seed)) {
        defect.accept(run.disks());
        run.play(fault);
      } catch (AssertionError found) {
        System.out.println("found: " + found.getMessage().lines().findFirst().orElseThrow());
        return found.getMessage();
      }
    }
    return "";
  }
}
