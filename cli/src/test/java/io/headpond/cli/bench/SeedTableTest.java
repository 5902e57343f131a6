// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bench.bookkeeper.speed.JournalVariant;
import io.headpond.bench.comparison.ComparedVariant;
import io.headpond.bench.comparison.CpuTime;
import io.headpond.bench.kafka.speed.Variant;
import io.headpond.bench.load.Pace;
import io.headpond.bench.scenario.Point;
import io.headpond.bench.scenario.PointFigures;
import io.headpond.bench.scenario.PointTurn;
import io.headpond.bench.scenario.RateSearch;
import io.headpond.bench.scenario.ScenarioFigures;
import io.headpond.bench.scenario.SearchTurn;
import io.headpond.cli.results.SeedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SeedTableTest {

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
                perSecond,
                perSecond * point.messageBytes(),
                publish,
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

  private String measured(String experiment) {
    List<SeedRow> rows = new SeedTable(new ScenarioFigures(points, searches), true, true).rows();
    return rows.stream()
        .filter(row -> row.experiment().startsWith(experiment))
        .findFirst()
        .orElseThrow(() -> new AssertionError(experiment + " is none of " + rows))
        .measured();
  }

  @Test
  void ratiosAreThoseOfTheSameRoundWithTheirSpread() {
    Point slow = Point.of(1024, 1).at(Pace.constant(500));
    for (int round = 1; round <= 2; round++) {
      point(JournalVariant.HEADPOND, slow, round, SeedPlan.BOOKIE, 500, 1_200L * round - 200);
      point(JournalVariant.DEFAULT_DISK, slow, round, SeedPlan.BOOKIE, 500, 4_000);
    }
    assertThat(measured("lowest P99")).startsWith("0.40 times (0.25 – 0.55): 1.60 against 4.00 ms");
    assertThat(measured("highest throughput")).isEqualTo("not measured in this run");
  }

  @Test
  void whatTheSweepTookAtTheDisksLatencyIsCompared() {
    for (double rate : new double[] {500, 2_000, 8_000}) {
      Point point = Point.of(1024, 1).at(Pace.constant(rate));
      point(JournalVariant.HEADPOND, point, 1, SeedPlan.BOOKIE, rate, (long) rate / 4);
      point(JournalVariant.DEFAULT_DISK, point, 1, SeedPlan.BOOKIE, rate, 1_000 + (long) rate);
    }
    assertThat(measured("throughput at the disk's lowest P99"))
        .startsWith("4.00 times: 2.05 against 0.51 MB/s at P99 ≤ 1.5");
  }

  @Test
  void anEngineIsComparedWithItsOwnRivals() {
    Point large = Point.of(SeedPlan.LARGE_BYTES, 1).clients(30, 0);
    point(Variant.HEADPOND, large, 1, SeedPlan.BROKER, 600, 1);
    point(Variant.VANILLA_FORCED, large, 1, SeedPlan.BROKER, 150, 1);
    point(JournalVariant.HEADPOND, large, 1, SeedPlan.BOOKIE, 1, 1);
    assertThat(measured("messages of 240 KB, 30 producers, against vanilla-forced"))
        .startsWith("4.00 times (4.00 – 4.00): 144 against 36.0 MB/s");
  }

  @Test
  void aRivalThatNeverKeptTheLimitHasNoRatio() {
    String load = "1 KiB messages, P99 < 5 ms, 2 producers" + SeedPlan.BROKER;
    search(Variant.HEADPOND, load, 1, 90);
    search(Variant.VANILLA_FORCED, load, 1, 0);
    assertThat(measured("throughput within P99")).isEqualTo("no ratio: 90.0 against 0.00 MB/s");
  }
}
