// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.load.Pace;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.burst.BurstProfile;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.kafka.rig.SteadyLoad;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.results.PublishedRow;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointFigures;
import io.headpond.lab.scenario.PointTurn;
import io.headpond.lab.scenario.RateSearch;
import io.headpond.lab.scenario.ScenarioFigures;
import io.headpond.lab.scenario.SearchTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PublishedTableTest {

  private final List<PointTurn> points = new ArrayList<>();
  private final List<SearchTurn> searches = new ArrayList<>();

  private void point(
      ComparedVariant variant, Point point, int round, String kind, double perSecond, long p99Us) {
    Histogram publish = new Histogram(3);
    publish.recordValue(p99Us * 1_000);
    points.add(
        new PointTurn(
            point.text() + kind,
            round,
            variant,
            point,
            new PointFigures(
                1,
                (long) perSecond,
                0,
                perSecond,
                perSecond * point.messageBytes(),
                publish,
                new Histogram(3),
                new Histogram(3),
                0,
                new CpuTime(Duration.ofSeconds(1), Duration.ofSeconds(1)),
                0,
                -1,
                null,
                List.of())));
  }

  private void search(ComparedVariant variant, String load, int round, double perSecond) {
    RateSearch search = new RateSearch(List.of(), perSecond, perSecond * 1e6);
    searches.add(new SearchTurn(load, round, variant, search));
  }

  private String measured(String experiment) throws IOException {
    List<PublishedRow> rows =
        new PublishedTable(new ScenarioFigures(points, searches), bursts(), null, true, true)
            .rows();
    return rows.stream()
        .filter(row -> row.experiment().startsWith(experiment))
        .findFirst()
        .orElseThrow(() -> new AssertionError(experiment + " is none of " + rows))
        .measured();
  }

  /** Not measured. */
  private static BurstMeasurement bursts() throws IOException {
    Path anywhere = Path.of("/");
    return new BurstMeasurement(
        new BurstSettings(
            List.of(Variant.VANILLA_DISK),
            anywhere,
            anywhere,
            JavaHome.current(),
            64 << 20,
            BurstSettings.SEGMENTS_FINE,
            0.5,
            HomeRate.throttled(12 << 20),
            32 << 20,
            2 << 20,
            BurstProfile.CONSTANT,
            1,
            1.3,
            4096,
            1,
            1,
            20));
  }

  @Test
  void ratiosAreThoseOfTheSameRoundWithTheirSpread() throws IOException {
    Point slow = Point.of(1024, 1).at(Pace.constant(500));
    for (int round = 1; round <= 2; round++) {
      point(JournalVariant.HEADPOND, slow, round, PublishedPlan.BOOKIE, 500, 1_200L * round - 200);
      point(JournalVariant.DEFAULT_DISK, slow, round, PublishedPlan.BOOKIE, 500, 4_000);
    }
    assertThat(measured("lowest P99")).startsWith("0.40 times (0.25 – 0.55): 1.60 against 4.00 ms");
    assertThat(measured("highest throughput")).isEqualTo("not measured in this run");
  }

  @Test
  void whatTheSweepTookAtTheDisksLatencyIsCompared() throws IOException {
    for (double rate : new double[] {500, 2_000, 8_000}) {
      Point point = Point.of(1024, 1).at(Pace.constant(rate));
      point(JournalVariant.HEADPOND, point, 1, PublishedPlan.BOOKIE, rate, (long) rate / 4);
      point(JournalVariant.DEFAULT_DISK, point, 1, PublishedPlan.BOOKIE, rate, 1_000 + (long) rate);
    }
    assertThat(measured("throughput at the disk's lowest P99"))
        .startsWith("4.00 times: 2.05 against 0.51 MB/s at P99 ≤ 1.5");
  }

  @Test
  void anEngineIsComparedWithItsOwnBaselines() throws IOException {
    Point large = Point.of(PublishedPlan.LARGE_BYTES, 1).clients(30, 0);
    point(Variant.HEADPOND, large, 1, PublishedPlan.BROKER, 600, 1);
    point(Variant.VANILLA_FORCED, large, 1, PublishedPlan.BROKER, 150, 1);
    point(JournalVariant.HEADPOND, large, 1, PublishedPlan.BOOKIE, 1, 1);
    assertThat(measured("messages of 240 KB, 30 producers, against vanilla-forced"))
        .startsWith("4.00 times (4.00 – 4.00): 144 against 36.0 MB/s");
  }

  @Test
  void aBaselineThatNeverKeptTheLimitHasNoRatio() throws IOException {
    String load = "1 KiB messages, P99 < 5 ms, 2 producers" + PublishedPlan.BROKER;
    search(Variant.HEADPOND, load, 1, 90);
    search(Variant.VANILLA_FORCED, load, 1, 0);
    assertThat(measured("throughput within P99"))
        .isEqualTo("no ratio: 90.0 MB/s, and the baseline none at all");
  }

  @Test
  void aBacklogsTurnIsComparedWithTheQuietOneOfItsVariant() throws IOException {
    Point quiet = Point.of(1024, 1).at(Pace.constant(1_000));
    Point replay = quiet.beside(64 << 20);
    point(Variant.HEADPOND, quiet, 1, PublishedPlan.BROKER, 1_000, 1_000);
    point(Variant.HEADPOND, replay, 1, PublishedPlan.BROKER, 1_000, 2_000);
    point(Variant.VANILLA_DISK, quiet, 1, PublishedPlan.BROKER, 1_000, 1_000);
    point(Variant.VANILLA_DISK, replay, 1, PublishedPlan.BROKER, 1_000, 8_000);
    assertThat(measured("publish P99 while an old backlog"))
        .startsWith("0.25 times (0.25 – 0.25): 2.00 against 8.0");
  }

  @Test
  void aSteadyLoadIsComparedByItsRetention() throws IOException {
    Point steady = Point.of(16 << 10, 1).at(Pace.constant(2_000)).clients(1, 1);
    String twice = SteadyLoad.kind(2) + PublishedPlan.BROKER;
    point(Variant.HEADPOND, steady, 1, twice, 2_000, 2_000);
    point(Variant.VANILLA_DISK, steady, 1, twice, 1_000, 4_000);
    assertThat(measured("steady load, the log keeps 2x of the tier: throughput"))
        .startsWith("2.00 times");
    assertThat(measured("steady load, the log keeps 2x of the tier: publish P99"))
        .startsWith("0.50 times");
    assertThat(measured("steady load, the log keeps 1x")).isEqualTo("not measured in this run");
  }

  @Test
  void whatIsLeftOutIsSaidWithTheCommandThatMeasuresIt() throws IOException {
    assertThat(measured("publish P99 while one of three bookies"))
        .contains("not measured in this run", "headpond-lab run failure");
    assertThat(measured("bursts over a slow home")).isEqualTo("not measured in this run");
  }
}
