// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headpond.lab.scenario.Point;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyLoadTest {

  private static final long MIB = 1 << 20;

  private static SteadyLoad load(double wraps, double... retentions) {
    List<Double> all = Arrays.stream(retentions).boxed().toList();
    return new SteadyLoad(256 * MIB, 32 * MIB, 16 << 10, all, wraps, 2);
  }

  @Test
  void aTurnFillsTheLogAndThenWritesItAnewAsOftenAsIsAskedFor() {
    Point point = load(3, 1, 1.5).point(1.5);
    double bytesPerSecond = point.pace().meanPerSecond() * point.messageBytes();
    assertThat(point.rampSeconds() * bytesPerSecond).isCloseTo(384.0 * MIB, within(1.0));
    assertThat(point.seconds() * bytesPerSecond).isCloseTo(3 * 384.0 * MIB, within(1.0));
    assertThat(point.consumers()).isOne();
  }

  @Test
  void theLongestLogSaysHowMuchRoomIsNeeded() {
    assertThat(load(3, 1, 2, 1.5).logBytesMax()).isEqualTo(2 * 256 * MIB + 64 * MIB);
  }

  @Test
  void retentionsAreNamedAsTheyWereTyped() {
    assertThat(SteadyLoad.kind(1)).isEqualTo(", the log keeps 1x of the tier");
    assertThat(SteadyLoad.kind(1.5)).isEqualTo(", the log keeps 1.5x of the tier");
  }

  @Test
  void whatWouldShowNothingIsRefused() {
    assertThatThrownBy(() -> load(3)).hasMessageContaining("0.1 to 100 times the tier");
    assertThatThrownBy(() -> load(3, 0)).hasMessageContaining("0.1 to 100 times the tier");
    assertThatThrownBy(() -> load(0, 1)).hasMessageContaining("anew 0.5 to 100 times");
    assertThatThrownBy(() -> KafkaTier.tight(64 * MIB, 1, HomeRate.throttled(MIB), 16))
        .hasMessageContaining("0.05 to 0.95");
    assertThatThrownBy(() -> KafkaTier.tight(64 * MIB - 1, 0.5, HomeRate.throttled(MIB), 16))
        .hasMessageContaining("at least 64 MiB");
  }

  @Test
  void manyPartitionsShareTheLogAndLeaveHalfOfTheTierToMove() {
    SteadyLoad load = new SteadyLoad(256 * MIB, 32 * MIB, 16 << 10, List.of(1.0), 2, 2, 32, 64);
    assertThat(load.point(1).partitions()).isEqualTo(32);
    assertThat(load.tier(0.5, HomeRate.throttled(MIB)).segmentBytes()).isEqualTo(4 * MIB);
    assertThatThrownBy(
            () -> new SteadyLoad(256 * MIB, 32 * MIB, 16 << 10, List.of(1.0), 2, 2, 33, 64))
        .hasMessageContaining("33 partitions must take half of the tier at most, which holds 64");
  }

  @Test
  void segmentsAreSixteenthsOfTheTierWithinWhatKafkaTakes() {
    assertThat(load(1, 1).tier(0.5, HomeRate.throttled(MIB)).segmentBytes()).isEqualTo(16 * MIB);
    assertThat(KafkaTier.tight(64 * MIB, 0.5, HomeRate.throttled(MIB), 128).segmentBytes())
        .isEqualTo(MIB);
    assertThat(KafkaTier.tight(1L << 40, 0.5, HomeRate.throttled(MIB), 128).segmentBytes())
        .isEqualTo(64 * MIB);
  }
}
