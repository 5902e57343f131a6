// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.pmem.DeviceFullException;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices whose errors are told in any language: what is full isn't taken for what fails. */
class ForeignWordsTest {
  private static final int KIB = 1 << 10;

  private static ModelRun run(final int language, final String... types) throws IOException {
    final ModelRun run = new ModelRun(ModelRun.Setup.of(false, types), 1);
    run.disk.faults().speak(language);
    run.disk.createDirectory(run.real("home0/t-0"));
    run.start();
    return run;
  }

  private static Path name(final ModelRun run, final int baseOffset) {
    return StoreFixture.segment(run.path("home0/t-0"), baseOffset);
  }

  private static boolean inTier(final Path name) {
    return Files.isSymbolicLink(ModelPath.real(name));
  }

  @ParameterizedTest
  @CsvSource({"0, file", "1, file", "2, file", "3, file", "1, mapped", "2, dax"})
  void aFullTierIsUsedAgainWhenItHasRoom(final int language, final String type) throws Exception {
    try (ModelRun run = run(language, type)) {
      final TierDirectory tier = run.store().tiers().get(0).get(0);
      try (FileChannel channel = run.store().open(name(run, 0), CREATE)) {
        append(channel, bytes(4 * KIB, 0));
        assertThat(inTier(name(run, 0))).isTrue();
        run.disk.faults().fill(run.real("tier00"));
        append(channel, bytes(80 * KIB, 0));
        assertThat(inTier(name(run, 0))).as("it goes on at home").isFalse();
      }
      run.store().open(name(run, 1), CREATE).close();
      assertThat(inTier(name(run, 1))).isFalse();
      assertThat(tier.failed()).isFalse();
      run.disk.faults().heal();
      run.store().open(name(run, 2), CREATE).close();
      assertThat(inTier(name(run, 2))).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "2, false", "3, false", "0, true", "1, true"})
  void aFullHomeMovesItsSegmentIntoATier(final int language, final boolean quota) throws Exception {
    try (ModelRun run = run(language, "file")) {
      final TierDirectory tier = run.store().tiers().get(0).get(0);
      final long taken = tier.capacityBytes - 100 * KIB;
      assertThat(tier.space.reserve(tier.capacityBytes)).isTrue();
      try (FileChannel channel = run.store().open(name(run, 0), CREATE)) {
        append(channel, bytes(4 * KIB, 0));
        assertThat(inTier(name(run, 0))).isFalse();
        tier.space.release(tier.capacityBytes - taken);
        if (quota) {
          run.disk.faults().exceedQuota(run.real("home0"), ModelFaults.Call.WRITE);
        } else {
          run.disk.faults().fillFiles(run.real("home0"));
        }
        append(channel, bytes(4 * KIB, 1));
        assertThat(inTier(name(run, 0))).isTrue();
      }
      tier.space.release(taken);
    }
  }

  /** Of bytes, or of inodes. */
  @ParameterizedTest
  @CsvSource({"0, WRITE, file", "1, WRITE, dax", "2, WRITE, mapped", "3, CREATE, file"})
  void aTierAtItsQuotaIsFull(final int language, final ModelFaults.Call refused, final String type)
      throws Exception {
    try (ModelRun run = run(language, type)) {
      final TierDirectory tier = run.store().tiers().get(0).get(0);
      run.disk.faults().exceedQuota(run.real("tier00"), refused);
      try (FileChannel channel = run.store().open(name(run, 0), CREATE)) {
        append(channel, bytes(80 * KIB, 0));
        assertThat(inTier(name(run, 0))).as("it goes on at home").isFalse();
      }
      assertThat(tier.failed()).isFalse();
      assertThat(tier.roomBytes()).as("whatever the file system names").isZero();
      run.disk.faults().heal();
      await("a write that finds room", () -> tier.roomBytes() > 0);
      run.store().open(name(run, 1), CREATE).close();
      assertThat(inTier(name(run, 1))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aHomeAtItsQuotaTakesNoMovesAndGivesItsSegmentsToATier(final int language) throws Exception {
    try (ModelRun run = run(language, "file")) {
      final Path home = run.real("home0");
      try (FileChannel channel = run.store().open(name(run, 0), CREATE)) {
        append(channel, bytes(4 * KIB, 0));
        run.disk.faults().exceedQuota(home, ModelFaults.Call.WRITE);
        assertThatThrownBy(
                () -> run.store().migration(copied -> {}).move(name(run, 0), null, false))
            .isInstanceOf(DeviceFullException.class);
        run.store().homes().spaces().forEach(HomeSpace::refresh);
        assertThat(run.store().homes().spaces()).allMatch(HomeSpace::low);
        run.disk.faults().heal();
        assertThat(run.store().migration(copied -> {}).move(name(run, 0), null, false))
            .isEqualTo(SegmentMigration.Outcome.NO_ROOM);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void whatFailsIsNotTakenForFull(final int language) throws Exception {
    try (ModelRun run = run(language, "file")) {
      final TierDirectory tier = run.store().tiers().get(0).get(0);
      final Path name = name(run, 0);
      run.disk.faults().breakDown(run.real("tier00"));
      run.store().open(name, CREATE).close();
      assertThat(inTier(name)).isFalse();
      assertThat(tier.failed()).isTrue();
    }
  }

  private static void moveFails(final ModelRun run, final TierDirectory to) {
    assertThatThrownBy(() -> run.store().migration(bytes -> {}).move(name(run, 0), to, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(to.ref.path().toString());
    assertThat(inTier(name(run, 0))).isTrue();
  }

  /** Where nothing but moves puts something, nobody else would find out. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aTierThatFailsUnderAMoveCountsAsFailedAndAFullOneDoesNot(final int language)
      throws Exception {
    for (final ModelFaults.Call failing :
        List.of(ModelFaults.Call.CREATE, ModelFaults.Call.WRITE, ModelFaults.Call.FORCE)) {
      try (ModelRun run = run(language, "file", "file")) {
        final TierDirectory lower = run.store().tiers().get(1).get(0);
        try (FileChannel channel = run.store().open(name(run, 0), CREATE)) {
          append(channel, bytes(4 * KIB, 0));
          run.disk.faults().fill(run.real("tier10"));
          moveFails(run, lower);
          assertThat(lower.failed()).as("it is only full").isFalse();
          run.disk.faults().breakDown(run.real("tier10"), failing, ModelFaults.Call.SET_ATTRIBUTES);
          moveFails(run, lower);
          assertThat(lower.failed()).as(failing.name()).isTrue();
          run.disk.faults().heal();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aTierThatFailsUnderAnEvacuationCountsAsFailed(final int language) throws Exception {
    try (ModelRun run = run(language, "file", "file")) {
      final TierDirectory upper = run.store().tiers().get(0).get(0);
      final TierDirectory lower = run.store().tiers().get(1).get(0);
      try (FileChannel channel = run.store().open(name(run, 0), CREATE)) {
        append(channel, bytes(4 * KIB, 0));
        final long rest = upper.capacityBytes - upper.space.usedBytes();
        assertThat(upper.space.reserve(rest)).isTrue();
        run.disk
            .faults()
            .breakDown(run.real("tier10"), ModelFaults.Call.WRITE, ModelFaults.Call.SET_ATTRIBUTES);
        append(channel, bytes(80 * KIB, 1));
        upper.space.release(rest);
        assertThat(inTier(name(run, 0))).as("it goes on at home").isFalse();
        assertThat(lower.failed()).isTrue();
        assertThat(upper.failed()).isFalse();
      }
    }
  }
}
