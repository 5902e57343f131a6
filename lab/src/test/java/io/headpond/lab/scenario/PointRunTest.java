// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.Pace;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class PointRunTest {

  private static final Point FULL_SPEED = Point.of(1024, 1).lasting(0.01, 0.1);

  private static PointFigures measure(Point point) throws Exception {
    FakeRig rig = new FakeRig(JournalVariant.HEADPOND, new ArrayList<>());
    return PointRun.measure(rig, point, "a test", text -> {});
  }

  @Test
  void aLateAnswerCountsAtAPace() throws Exception {
    PointFigures figures = measure(FULL_SPEED.at(Pace.constant(100)));
    assertThat(figures.publish().getTotalCount()).isEqualTo(FakeRig.IN_TIME + FakeRig.LATE);
    assertThat(figures.publishUs(99)).isGreaterThan(900_000);
    assertThat(figures.messages()).isEqualTo(FakeRig.IN_TIME);
  }

  @Test
  void aLateAnswerDoesNotCountAtFullSpeed() throws Exception {
    PointFigures figures = measure(FULL_SPEED);
    assertThat(figures.publish().getTotalCount()).isEqualTo(FakeRig.IN_TIME);
    assertThat(figures.publishUs(100)).isBetween(999.0, 1_001.0);
  }

  @Test
  void neitherTheRampNorTheEndCounts() throws Exception {
    PointFigures figures = measure(FULL_SPEED);
    assertThat(figures.messages()).isEqualTo(FakeRig.IN_TIME);
    assertThat(figures.failures()).isEqualTo(FakeRig.FAILURES);
    assertThat(figures.seconds()).isBetween(0.1, 10.0);
    assertThat(figures.perSecond() * figures.seconds()).isBetween(9.99, 10.01);
  }

  @Test
  void atFullSpeedTheFirstAnswerIsWaitedFor() throws Exception {
    FakeRig rig = new FakeRig(JournalVariant.HEADPOND, new ArrayList<>(), 3, 0);
    PointFigures figures = PointRun.measure(rig, FULL_SPEED, "a test", text -> {});
    assertThat(figures.messages()).isEqualTo(FakeRig.IN_TIME);
  }

  @Test
  void theRampEndsWhereAFifthOfTheRoomIsUsed() throws Exception {
    FakeRig rig = new FakeRig(JournalVariant.HEADPOND, new ArrayList<>(), 0, 0.2);
    Point point = FULL_SPEED.lasting(3_600, 0.1);
    assertThat(PointRun.measure(rig, point, "a test", text -> {}).messages())
        .isEqualTo(FakeRig.IN_TIME);
  }
}
