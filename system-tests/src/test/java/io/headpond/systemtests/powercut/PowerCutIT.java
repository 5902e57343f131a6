// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was acknowledged is there after power cuts, on real FSDAX; see docs/power-cut.md. */
@Tag("powercut")
final class PowerCutIT {
  private static final long SEED =
      Long.getLong("headpond.powercut.seed", System.nanoTime() & 0xffff_ffffL);

  /** Cuts per main back end. */
  private static final int ROUNDS = Integer.getInteger("headpond.powercut.rounds", 5);

  private static Path image;

  @BeforeAll
  static void buildGuest() throws Exception {
    image = GuestImage.build();
  }

  private static PowerCuts onNewDisks(String name, String fileSystem) throws Exception {
    return new PowerCuts(image, GuestImage.FOLDER.resolve(name), fileSystem, SEED);
  }

  private static void assertNothingLost(PowerCuts cuts) {
    assertThat(cuts.lost()).as("lost").isZero();
    assertThat(cuts.corrupt()).as("corrupt").isZero();
    assertThat(cuts.verified()).as("verified").isPositive();
  }

  @Test
  void onExt4EveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    PowerCuts cuts = onNewDisks("ext4", "ext4");
    cuts.rounds(Setup.JAVA_17_JEP352, ROUNDS);
    cuts.rounds(Setup.JAVA_25_LIBPMEM, ROUNDS);
    cuts.rounds(Setup.JAVA_25_JEP352, 1);
    cuts.rounds(Setup.JAVA_25_WITHOUT_C2, 2);
    cuts.finish();
    assertNothingLost(cuts);
  }

  @Test
  void onXfsEveryAcknowledgedRecordIsThereAfterEveryCut() throws Exception {
    PowerCuts cuts = onNewDisks("xfs", "xfs");
    cuts.rounds(Setup.JAVA_17_JEP352, 1);
    cuts.rounds(Setup.JAVA_25_LIBPMEM, 1);
    cuts.finish();
    assertNothingLost(cuts);
  }

  @Test
  void theControlThatForcesNothingLosesRecordsOrThisTestProvesNothing() throws Exception {
    PowerCuts cuts = onNewDisks("control", "ext4");
    cuts.rounds(Setup.CONTROL_UNFORCED_FILES, 1);
    cuts.check();
    assertThat(cuts.lost()).as("lost").isPositive();
  }
}
