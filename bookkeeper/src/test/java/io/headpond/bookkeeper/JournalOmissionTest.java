// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.JournalFaultRun.Setup;
import io.headpond.bookkeeper.ledger.PlacesRun;
import io.headpond.store.ProductCalls;
import io.headpond.store.ProductCalls.Call;
import io.headpond.store.SimulatedDisks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each force of a bookie's plug-ins that is left out is found by simulated power cuts, or it is
 * said why not. Calls are named as {@link ProductCalls#forces} names them.
 */
class JournalOmissionTest {
  private static final SortedMap<String, Call> CALLS =
      ProductCalls.forces(Path.of("target/classes"));

  /** Those of {@code pmem} that only journals make: their own list says so. */
  private static final SortedMap<String, Call> OF_FILES =
      ProductCalls.forces(Path.of("../pmem/target/classes"));

  /** Found by {@link JournalFaultRun}. */
  private static final List<String> OF_JOURNALS =
      List.of(
          "JournalDirectory.forceNames",
          "JournalFileChannel.force",
          "JournalFileChannel.forceContent",
          "JournalFileChannel.forceName",
          "JournalFileChannel.forceThis",
          "JournalForces.before",
          "PlainJournalChannel.persist",
          "WrittenJournalChannel.persist",
          "BackingFile.force 2",
          "UninterruptedForce.force 2");

  /** Found by {@link PlacesRun}. */
  private static final List<String> OF_ENTRY_LOGS =
      List.of(
          "CompactedLog.seal",
          "CompactedLog.seal 2",
          "EntryLogPlaces.complete",
          "EntryLogPlaces.dropFastFile",
          "EntryLogPlaces.forceNames",
          "EntryLogPlaces.link",
          "EntryLogPlaces.open",
          "EntryLogPlaces.recover",
          "EntryLogPlaces.remove");

  private static final Map<String, String> NOT_FOUND =
      Map.of(
          "CompactedLogs.flush", "of a storage's flush, which is played by powercut alone",
          "TieredEntryLogger.flush", "of a storage's flush, which is played by powercut alone",
          "JournalFileChannel.check",
              "a header without it has no room for the next group, and the journal ends: WholeGroupsTest",
          "JournalDirectory.reusedBytes",
              "of a file that was renamed and not prepared: nobody does",
          "LastMark.force", "BookKeeper forces its mark itself, before it can be read here",
          "LastMark.look", "BookKeeper forces its mark itself, before it can be read here",
          "LostLogs.leaveIndex", "a word that comes back is followed again, and changes nothing",
          "MappedJournalChannel.persist", "of stores that are durable when they return");

  private static final int SEEDS_MAX = 40;

  static Stream<String> found() {
    return Stream.concat(OF_JOURNALS.stream(), OF_ENTRY_LOGS.stream());
  }

  @Test
  void everyForceOfABookieIsListed() {
    assertThat(
            Stream.concat(found(), NOT_FOUND.keySet().stream())
                .filter(name -> !OF_FILES.containsKey(name))
                .sorted())
        .containsExactlyElementsOf(CALLS.keySet());
  }

  @ParameterizedTest
  @MethodSource("found")
  void whatIsLeftOutIsFound(final String name) throws Exception {
    final Call call = CALLS.getOrDefault(name, OF_FILES.get(name));
    final LongAdder leftOut = new LongAdder();
    String found = null;
    long seed = 0;
    while (found == null && seed < SEEDS_MAX) {
      seed++;
      found =
          OF_ENTRY_LOGS.contains(name)
              ? places(call, leftOut, seed)
              : journals(call, leftOut, seed);
    }
    System.out.printf("%s left out %d times, seed %d: %s%n", name, leftOut.sum(), seed, found);
    assertThat(found).as("%s, by %d seeds", name, seed).isNotNull();
  }

  private static String places(final Call call, final LongAdder leftOut, final long seed)
      throws IOException {
    try (PlacesRun run = new PlacesRun(seed)) {
      plant(run.disks(), call, leftOut);
      run.play();
      return null;
    } catch (final AssertionError e) {
      return e.getMessage().lines().findFirst().orElseThrow();
    }
  }

  private static String journals(final Call call, final LongAdder leftOut, final long seed)
      throws IOException {
    for (final Setup setup : JournalFaultSweepTest.setups().toList()) {
      try (JournalFaultRun run = new JournalFaultRun(setup, seed)) {
        plant(run.disks(), call, leftOut);
        run.play(null);
      } catch (final AssertionError e) {
        return setup + ": " + e.getMessage().lines().findFirst().orElseThrow();
      }
    }
    return null;
  }

  private static void plant(final SimulatedDisks disks, final Call call, final LongAdder leftOut) {
    disks.leaveOut(call, leftOut::increment);
  }
}
