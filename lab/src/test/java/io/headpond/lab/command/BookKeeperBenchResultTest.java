// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headpond.cli.console.Json;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.results.Label;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointFigures;
import io.headpond.lab.scenario.PointTurn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BookKeeperBenchResultTest {

  private static BookKeeperTurn turn(JournalVariant variant, long messages, long failures) {
    Histogram publish = new Histogram(3);
    publish.recordValueWithCount(2_000_000, messages);
    Point point = BookKeeperPlan.point(1024, 16, 2);
    PointFigures figures =
        new PointFigures(
            2,
            messages,
            failures,
            messages / 2.0,
            messages * 1024 / 2.0,
            publish,
            new Histogram(3),
            new Histogram(3),
            0,
            new CpuTime(Duration.ofMillis(30), Duration.ofMillis(10)),
            0.25,
            -1,
            null,
            List.of());
    return BookKeeperTurn.of(new PointTurn(point.text(), 1, variant, point, figures), 6);
  }

  private static List<Comparison<BookKeeperTurn.Load, JournalVariant>> comparisons(
      List<BookKeeperTurn> turns) {
    return Comparison.of(turns, BookKeeperTurn.METRICS, JournalVariant.HEADPOND);
  }

  private static JsonNode json(List<BookKeeperTurn> turns) {
    return Json.tree(
        new BookKeeperBenchResult(
            "4.18.0",
            17,
            2,
            true,
            Map.of("headpond", "in memory"),
            2,
            6,
            2,
            turns,
            comparisons(turns).stream().map(BookKeeperBenchResult.Row::of).toList()));
  }

  /** A key is never renamed: what reads older results reads these. */
  @Test
  void theKeysStay() {
    JsonNode document =
        json(
            List.of(
                turn(JournalVariant.HEADPOND, 200, 0), turn(JournalVariant.DEFAULT_DISK, 100, 0)));
    assertThat(JsonKeys.of(document))
        .containsExactlyInAnyOrder(
            "bookkeeper_version",
            "java_version",
            "processors",
            "fast_tier_volatile",
            "journals",
            "journals.headpond",
            "starts",
            "rounds",
            "seconds_per_turn",
            "turns",
            "turns.point",
            "turns.point.entry_bytes",
            "turns.point.window",
            "turns.round",
            "turns.variant",
            "turns.seconds",
            "turns.adds",
            "turns.adds_per_second",
            "turns.mb_per_second",
            "turns.p50_us",
            "turns.p99_us",
            "turns.p999_us",
            "turns.max_us",
            "turns.bookie_cpu_us_per_add",
            "turns.client_cpu_us_per_add",
            "turns.failures",
            "turns.other_cpu_share",
            "comparisons",
            "comparisons.point",
            "comparisons.point.entry_bytes",
            "comparisons.point.window",
            "comparisons.metric",
            "comparisons.unit",
            "comparisons.more_is_better",
            "comparisons.variant",
            "comparisons.value",
            "comparisons.value.min",
            "comparisons.value.median",
            "comparisons.value.max",
            "comparisons.value.values",
            "comparisons.headpond_ratio",
            "comparisons.headpond_ratio.min",
            "comparisons.headpond_ratio.median",
            "comparisons.headpond_ratio.max",
            "comparisons.headpond_ratio.values");
  }

  @Test
  void aTurnHasItsAddsLatenciesAndProcessorTime() {
    JsonNode turn = json(List.of(turn(JournalVariant.HEADPOND, 200, 0))).at("/turns/0");
    assertThat(turn.at("/point/entry_bytes").asInt()).isEqualTo(1024);
    assertThat(turn.at("/point/window").asInt()).isEqualTo(16);
    assertThat(turn.get("round").asInt()).as("six of the starts before").isEqualTo(7);
    assertThat(turn.get("variant").asText()).isEqualTo("headpond");
    assertThat(turn.get("seconds").asDouble()).isEqualTo(2);
    assertThat(turn.get("adds").asLong()).isEqualTo(200);
    assertThat(turn.get("adds_per_second").asDouble()).isEqualTo(100);
    assertThat(turn.get("mb_per_second").asDouble()).isEqualTo(0.1024);
    for (String latency : List.of("p50_us", "p99_us", "p999_us", "max_us")) {
      assertThat(turn.get(latency).asDouble()).as(latency).isBetween(1_999.0, 2_002.0);
    }
    assertThat(turn.get("bookie_cpu_us_per_add").asDouble()).isEqualTo(150);
    assertThat(turn.get("client_cpu_us_per_add").asDouble()).isEqualTo(50);
    assertThat(turn.get("other_cpu_share").asDouble()).isEqualTo(0.25);
  }

  @Test
  void aFigureIsNamedByItsEntriesAndWindow() {
    List<Figure> figures =
        Figure.of(
            comparisons(List.of(turn(JournalVariant.HEADPOND, 200, 0))),
            BookKeeperTurn.METRICS,
            BookKeeperBenchTable::text);
    assertThat(figures).extracting(Figure::load).containsOnly("1.00 KiB entries, window 16");
    assertThat(figures)
        .extracting(figure -> figure.metric() + " " + figure.unit())
        .containsExactly(
            "adds adds/s",
            "latency_p50 µs",
            "latency_p99 µs",
            "latency_p999 µs",
            "bookie_cpu µs/add",
            "client_cpu µs/add");
  }

  @Test
  void addsThatFailedMakeTheResultInvalid() {
    BookKeeperTurn failed = turn(JournalVariant.HEADPOND, 0, 36);
    assertThat(BookKeeperBenchResult.labels(List.of(failed)))
        .containsExactly(new Label("NOT VALID", "36 adds failed"));
    assertThat(BookKeeperBenchTable.line(failed)).contains(" 0 adds/s", "FAILED: 36 adds");
    BookKeeperTurn good = turn(JournalVariant.HEADPOND, 200, 0);
    assertThat(BookKeeperBenchResult.labels(List.of(good))).isEmpty();
    assertThat(BookKeeperBenchTable.line(good)).doesNotContain("FAILED");
  }
}
