// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.bookkeeper.variant.JournalVariant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

  private static final Point POINT = Point.adds(1024, 16, 0.01, 0.05);

  private final List<String> begun = new ArrayList<>();
  private final List<String> finished = new ArrayList<>();

  private Turns turns() {
    List<Rig> rigs = new ArrayList<>();
    for (JournalVariant variant :
        List.of(
            JournalVariant.DEFAULT_DISK, JournalVariant.HEADPOND, JournalVariant.DEFAULT_FAST)) {
      rigs.add(new FakeRig(variant, begun));
    }
    return new Turns(
        rigs,
        ", some kind",
        new ScenarioListener() {
          @Override
          public void progress(String text) {}

          @Override
          public void finished(PointTurn turn) {
            finished.add(turn.round() + " " + turn.variant() + " " + turn.load());
          }

          @Override
          public void found(SearchTurn turn) {}
        });
  }

  @Test
  void anotherRigBeginsInEachRound() throws Exception {
    turns().measure(POINT, 2);
    String load = "1 KiB messages, full speed, 1 producer, window 16, some kind";
    assertThat(finished)
        .containsExactly(
            "1 default-disk " + load,
            "1 headpond " + load,
            "1 default-fast " + load,
            "2 headpond " + load,
            "2 default-fast " + load,
            "2 default-disk " + load);
  }

  @Test
  void aWarmUpAtThePointsOwnPaceIsOneLoadOfEachRig() throws Exception {
    turns().warmUp(POINT, 0.05);
    String load = ", 1 KiB messages, full speed, 1 producer, window 16, ramp 0.0";
    assertThat(begun)
        .containsExactly("default-disk" + load, "headpond" + load, "default-fast" + load);
    assertThat(finished).isEmpty();
  }
}
