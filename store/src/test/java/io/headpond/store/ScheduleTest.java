// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads of an engine, of migration and of the store, whose order at the calls of simulated
 * devices a seed decides, with power cuts between any two calls: {@link ScheduleRun}.
 *
 * <p>{@code -Dheadpond.test.schedules=N} for more of them, {@code -Dheadpond.test.seed=S} to repeat
 * one.
 */
@Tag("simulation")
class ScheduleTest {
  private static final Long SEED = Long.getLong("headpond.test.seed");
  private static final long SCHEDULES =
      SEED == null ? Long.getLong("headpond.test.schedules", 30) : 1;

  private static final long STEPS_TO_FIND_MAX = 300_000;

  @Test
  void whateverTheOrderNothingThatWasPromisedIsLost() throws Exception {
    final ScheduleSearch search = new ScheduleSearch();
    final long first = SEED == null ? System.nanoTime() : SEED;
    System.out.println("schedules: first seed " + first);
    StoreModelTest.quietly(
        () -> {
          for (long i = 0; i < SCHEDULES; i++) {
            search.play(first + i);
          }
          return null;
        });
    System.out.println(search.tally());
    assertThat(search.tally().steps()).isPositive();
  }

  @Test
  void whoWaitsForTheForceOfAnotherIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.TWO_FILE_TIERS,
        new PlantedDefect(folder)
            .in(
                "SegmentSwitch",
                "precondition.awaitName();",
                // A call of a device first: only at one do the threads take turns.
                "java.nio.file.Files.exists(from.path());" + " segment.durability.awaitCurrent();")
            .in(
                "SegmentDurability",
                "  void awaitWritten() throws IOException {",
                """
                  void awaitCurrent() throws IOException {
                    if (precondition.get() instanceof Precondition current) {
                      current.awaitName();
                    }
                  }

                  void awaitWritten() throws IOException {
                """)
            .in(
                "SegmentDurability",
                "now.awaitWritten();",
                "now.awaitWritten(); precondition.set(null);"),
        "which is not there");
  }

  @Test
  void aSourceThatGoesBeforeItsNameIsDurableIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.TWO_FILE_TIERS,
        new PlantedDefect(folder)
            .in("SegmentSwitch", "precondition.awaitName();", "precondition.beginEarly();"),
        "which is not there");
  }

  @Test
  void aSwitchThatDoesNotWaitForTheWriterIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.TWO_FILE_TIERS,
        new PlantedDefect(folder)
            .in(
                "SegmentMigration",
                """
                  private Outcome switchTo(final SegmentCopy copy) throws IOException {
                    segment.lock.lock();
                """,
                """
                  private Outcome switchTo(final SegmentCopy copy) throws IOException {
                    copy.copyRest(channel.size());
                    makeSure(copy);
                    segment.lock.lock();
                """)
            .in(
                "SegmentMigration",
                """
                      copy.copyRest(end);
                      if (!copy.forced()) {
                        makeSure(copy);
                      }
                      copy.checkLength();
                      publish(end);
                """,
                """
                      publish(copy.position());
                """),
        "");
  }

  @Test
  void aMovedPredecessorThatIsNotWaitedForIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.FILE_TIER,
        new PlantedDefect(folder)
            .in("SegmentDurability", "return last == null || last.nameDurable();", "return true;"),
        "isn't whole");
  }

  @Test
  void aPromiseThatDoesNotWaitForItsLogIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.PROMISING_TIER,
        new PlantedDefect(folder)
            .in("SegmentDurability", "now.awaitAll();", "now.beginEarly(() -> {});"),
        "");
  }

  @Test
  void aForceThatDoesNotWaitForItsNameIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.FILE_TIER,
        new PlantedDefect(folder)
            .in("SegmentDurability", "now.awaitWritten();", "now.beginEarly(() -> {});"),
        "");
  }

  @Test
  void aPredecessorThatIsNotCutAtTheRollIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ScheduleSearch.PROMISING_TIER,
        new PlantedDefect(folder)
            .in("Predecessors", "segment.sealForSuccessor(cutFirst(partition, segment));", ""),
        "");
  }

  private static void assertFound(final int setup, final PlantedDefect defect, final String words)
      throws Exception {
    final String[] found = new String[1];
    try (URLClassLoader loader = defect.loader()) {
      StoreModelTest.quietly(
          () -> {
            found[0] =
                (String)
                    loader
                        .loadClass(ScheduleSearch.class.getName())
                        .getMethod("find", int.class, String.class, long.class)
                        .invoke(null, setup, words, STEPS_TO_FIND_MAX);
            return null;
          });
    }
    System.out.println("found: " + found[0]);
    assertThat(found[0]).as("%d steps", STEPS_TO_FIND_MAX).isNotNull();
  }
}
