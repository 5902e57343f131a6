// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link ChannelRaces} finds what it is there for. */
@Tag("extra")
class PlantedRacesTest {
  private static final String STORE = "store/src/main/java/io/headpond/store/";
  private static final String PMEM = "pmem/src/main/java/io/headpond/pmem/";
  private static final long MILLISECONDS = Long.getLong("headpond.test.jcstress.planted.ms", 4_000);

  @TempDir private Path folder;

  private void assertFound(final String race, final PlantedRace planted, final String outcome)
      throws Exception {
    planted.compile(folder);
    final StressRun run = StressRun.of("ChannelRaces." + race, MILLISECONDS, List.of(folder));
    assertThat(run.exitCode()).as(run.output()).isNotZero();
    assertThat(run.output()).contains(outcome);
  }

  @Test
  void aSwitchThatDoesNotWaitForTheWriter() throws Exception {
    assertFound(
        "AppendAndMove",
        PlantedRace.in(
                STORE + "SegmentMigration.java",
                """
                  private Outcome switchTo(final SegmentCopy copy) throws IOException {
                    segment.lock.lock();
                """,
                """
                  private Outcome switchTo(final SegmentCopy copy) throws IOException {
                    restWithoutTheLock(copy);
                    segment.lock.lock();
                """)
            .and(
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
                """)
            .and(
                "  private void publish(",
                """
                  private void restWithoutTheLock(final SegmentCopy copy) throws IOException {
                    copy.copyRest(channel.size());
                    makeSure(copy);
                  }

                  private void publish("""),
        "too small");
  }

  @Test
  void aDescriptorThatIsClosedUnderItsReader() throws Exception {
    assertFound(
        "ReadAndMove",
        PlantedRace.in(
            STORE + "segment/SegmentDescriptor.java",
            "if (users.decrementAndGet() == 0) {",
            "if (users.decrementAndGet() <= 1) {"),
        "ClosedChannelException");
  }

  @Test
  void anEndThatIsPublishedBeforeItsBytes() throws Exception {
    assertFound(
        "ReadAndAppend",
        PlantedRace.in(
            PMEM + "MappedFile.java",
            "int from = src.position();",
            "int from = src.position(); publish(position + length);"),
        "zeros");
  }

  @Test
  void aTruncationThatDoesNotWaitForReaders() throws Exception {
    assertFound(
        "ReadAndTruncate",
        PlantedRace.in(
            STORE + "segment/MappedSegmentFile.java",
            "readers.awaitEarlier();",
            "// waits for nobody"),
        "zeros");
  }

  @Test
  void aSealThatDoesNotTakeTheLock() throws Exception {
    assertFound(
        "AppendAndSeal",
        PlantedRace.in(
                STORE + "segment/Segment.java",
                "if (time.nanos() - lastWriteNanos < idleNanos || !lock.tryLock()) {",
                "if (time.nanos() - lastWriteNanos < idleNanos) {")
            .and(
                """
                      PlaceCodes.SPACE_KEPT.log(name, e);
                    } finally {
                      lock.unlock();
                    }
                """,
                """
                      PlaceCodes.SPACE_KEPT.log(name, e);
                    }
                """),
        "AppendAndSeal");
  }
}
