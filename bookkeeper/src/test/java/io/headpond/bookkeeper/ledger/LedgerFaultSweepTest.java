// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.ledger.LedgerFaults.Call;
import io.headpond.bookkeeper.ledger.LedgerFaults.Fault;
import io.headpond.bookkeeper.ledger.LedgerFaults.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each call that leaves the ledger side's code fails in turn, by an I/O error, by a Throwable, and
 * by an interrupt that makes BookKeeper's own next call fail. {@link LedgerFaultRun} says what must
 * hold.
 *
 * <p>{@code -Dheadpond.test.faults=N} tries so many, chosen by {@code -Dheadpond.test.seed=S};
 * {@code all} tries all, {@code FROM-TO} those in their order. A storage that can't be stopped
 * keeps its memory until the process ends, so all of them need a process for some 150 each.
 */
class LedgerFaultSweepTest {
  private static final String HOW_MANY = System.getProperty("headpond.test.faults", "6");
  private static final Long SEED = Long.getLong("headpond.test.seed");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whateverFailsNothingAcknowledgedIsForgotten(final boolean transactional) throws Exception {
    final long seed = SEED == null ? System.nanoTime() : SEED;
    final List<Fault> all = faults(transactional);
    final List<Fault> tried = chosen(all, seed);
    int struck = 0;
    int told = 0;
    final List<String> lost = new ArrayList<>();
    for (final Fault fault : tried) {
      final LedgerFaultRun run = run(transactional, fault, lost);
      struck += run.faults().struck() == null ? 0 : 1;
      told += run.told() ? 1 : 0;
    }
    System.out.printf(
        "transactional %s: %d of %d faults (seed %d), %d struck, %d told%n",
        transactional, tried.size(), all.size(), seed, struck, told);
    assertThat(lost).as("seed %d", seed).isEmpty();
    assertThat(struck).isPositive();
  }

  private static List<Fault> chosen(final List<Fault> all, final long seed) {
    final String[] range = HOW_MANY.split("-");
    if (range.length == 2) {
      return all.subList(
          Math.min(Integer.parseInt(range[0]), all.size()),
          Math.min(Integer.parseInt(range[1]), all.size()));
    }
    final List<Fault> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, new Random(seed));
    final int many = HOW_MANY.equals("all") ? all.size() : Integer.parseInt(HOW_MANY);
    return shuffled.subList(0, Math.min(many, all.size()));
  }

  @Test
  void aCheckpointThatAStopCompletesInSpiteOfAFailureIsFound() throws Exception {
    int tried = 0;
    for (final Fault fault : faults(false)) {
      if (fault.kind() == Kind.NO_MEMORY && fault.stop()) {
        final List<String> lost = new ArrayList<>();
        play(new LedgerFaultRun(place(), false, fault).plant(), fault, lost);
        tried++;
        if (!lost.isEmpty()) {
          System.out.println("found by the " + tried + ". fault: " + lost);
          return;
        }
      }
    }
    throw new AssertionError("not found by " + tried + " faults");
  }

  private List<Fault> faults(final boolean transactional) throws Exception {
    final List<String> lost = new ArrayList<>();
    final LedgerFaultRun run = run(transactional, null, lost);
    assertThat(lost).as("without any fault").isEmpty();
    assertThat(run.said()).as("without any fault").isEmpty();
    final List<Call> calls = run.faults().calls();
    if (!transactional) { // a compaction's output is the one log that the plug-in writes itself
      assertThat(calls).extracting(Call::what).anyMatch(what -> what.matches("write .*\\.log"));
    }
    final List<Fault> faults = new ArrayList<>();
    for (int number = 0; number < calls.size(); number++) {
      for (final Kind kind : Kind.values()) {
        if (kind != Kind.IO_ERROR || calls.get(number).checked()) {
          faults.add(new Fault(number, kind, (number + kind.ordinal()) % 2 == 0));
        }
      }
    }
    return faults;
  }

  private Path place() throws IOException {
    return Files.createTempDirectory(folder, "run");
  }

  private LedgerFaultRun run(
      final boolean transactional, final Fault fault, final List<String> lost) throws Exception {
    return play(new LedgerFaultRun(place(), transactional, fault), fault, lost);
  }

  private static LedgerFaultRun play(
      final LedgerFaultRun run, final Fault fault, final List<String> lost) throws Exception {
    final PrintStream before = System.err;
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    try {
      run.play();
    } catch (final Exception | AssertionError e) {
      lost.add(fault + ", " + run.faults().struck() + ", told " + run.said() + ": " + e);
    } finally {
      System.setErr(before);
      delete(run.folder());
    }
    return run;
  }

  private static void delete(final Path place) throws Exception {
    try (Stream<Path> files = Files.walk(place)) {
      for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
