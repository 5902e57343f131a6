// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.DueTimes;
import io.headpond.harness.load.Fields;
import io.headpond.harness.load.Pace;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointRun;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaHostsLoadTest {

  private static final int MESSAGES = 120;

  private static SendingPlan share(Point point, int hosts, int left, int index) {
    return KafkaHostsLoad.share(
        point,
        new Producers("all", "lz4"),
        List.of("bench-1-0", "bench-1-1"),
        900,
        hosts,
        left,
        index);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "3, 2"})
  void allThatIsDueIsDividedAmongTheHostsThatAreLeft(int hosts, int left) {
    Pace pace = Pace.constant(1_000);
    Point point = Point.of(1_024, 1).at(pace).clients(2 * hosts, 0);
    List<Long> due = new ArrayList<>();
    for (int index = 0; index < left; index++) {
      SendingPlan plan = share(point, hosts, left, index);
      assertThat(plan.own()).isEqualTo(2);
      assertThat(plan.bytesMax()).isEqualTo(900 / left);
      for (int i = 0; i < plan.own(); i++) {
        DueTimes times = plan.pace().dueTimes(plan.first() + i, plan.all());
        for (int message = 0; message < MESSAGES / (2 * left); message++) {
          due.add(times.nextNanos());
        }
      }
    }
    List<Long> whole = new ArrayList<>();
    DueTimes one = pace.dueTimes(0, 1);
    for (int message = 0; message < MESSAGES; message++) {
      whole.add(one.nextNanos());
    }
    assertThat(due).containsExactlyInAnyOrderElementsOf(whole);
  }

  @Test
  void aShareIsReadAsItWasWritten() {
    SendingPlan plan = share(Point.of(240_000, 1).at(Pace.constant(0.5)).clients(4, 0), 2, 2, 1);
    assertThat(Fields.decode(SendingPlan.class, Fields.word(plan))).isEqualTo(plan);
    SendingPlan full = share(Point.of(1_024, 1).clients(2, 0), 2, 2, 0);
    assertThat(Fields.decode(SendingPlan.class, Fields.word(full))).isEqualTo(full);
  }

  @Test
  void figuresAreReadAsTheyWereWritten() {
    Histogram publish = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
    publish.recordValue(1_234_567);
    LoadInterval interval = new LoadInterval(1, 1_024, publish, 0);
    HostFigures read =
        Fields.decode(
            HostFigures.class, Fields.encode(new HostFigures(interval, 17, 1.25, true, false)));
    assertThat(read.interval().messages()).isEqualTo(1);
    assertThat(read.interval().bytes()).isEqualTo(1_024);
    assertThat(read.interval().publish()).isEqualTo(publish);
    assertThat(read.startLateMicros()).isEqualTo(17);
    assertThat(read.cpuSeconds()).isEqualTo(1.25);
    assertThat(read.exhausted()).isTrue();
    assertThat(read.ended()).isFalse();
  }
}
