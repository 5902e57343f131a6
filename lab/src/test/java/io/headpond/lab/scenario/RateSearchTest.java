// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.comparison.CpuTime;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RateSearchTest {

  private static final Point POINT = Point.of(1024, 2);
  private static final LatencyLimit LIMIT = LatencyLimit.of("p99<5ms");

  /**
   * A queue: messages come evenly, each takes its time, and the server pauses ten times a second,
   * so that latencies grow with the rate long before it is full.
   */
  private static PointFigures queue(double capacity, double pauseSeconds, Point point) {
    double rate = point.pace().meanPerSecond();
    int due = (int) (rate * point.seconds());
    Histogram publish = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
    double free = 0;
    double nextPause = 0.1;
    int inTime = 0;
    for (int i = 0; i < due; i++) {
      double at = i / rate;
      double begin = Math.max(at, free);
      if (begin >= nextPause) {
        begin += pauseSeconds;
        nextPause += 0.1;
      }
      free = begin + 1 / capacity;
      publish.recordValue(Math.min(PointRun.LATENCY_MAX_NANOS, (long) ((free - at) * 1e9)));
      inTime += free <= point.seconds() ? 1 : 0;
    }
    double perSecond = inTime / point.seconds();
    return new PointFigures(
        point.seconds(),
        (long) (perSecond * point.seconds()),
        0,
        perSecond,
        perSecond * point.messageBytes(),
        publish,
        new Histogram(3),
        new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS),
        0,
        new CpuTime(Duration.ofSeconds(1), Duration.ofSeconds(1)),
        0,
        -1,
        null,
        List.of());
  }

  private static RateSearch search(double capacity, double pause, double first) throws Exception {
    return RateSearch.run(POINT, first, LIMIT, (point, step) -> queue(capacity, pause, point));
  }

  @Test
  void withoutPausesTheLimitIsTheCapacity() throws Exception {
    for (double first : new double[] {300, 10_000, 400_000}) {
      RateSearch search = search(10_000, 0, first);
      assertThat(search.perSecond()).as(search.toString()).isBetween(9_000.0, 10_400.0);
      assertThat(search.bytesPerSecond()).isEqualTo(search.perSecond() * 1024);
      assertThat(search.steps()).hasSizeLessThanOrEqualTo(16);
    }
  }

  @Test
  void pausesLeaveLessThanTheCapacity() throws Exception {
    RateSearch search = search(10_000, 0.0045, 5_000);
    assertThat(search.perSecond())
        .as(search.toString())
        .isBetween(8_000.0, search(10_000, 0, 5_000).perSecond() - 1);
    assertThat(search.steps())
        .allSatisfy(
            step ->
                assertThat(step.kept())
                    .isEqualTo(
                        step.latencyUs() < 5_000
                            && step.achievedPerSecond() >= 0.95 * step.perSecond()));
  }

  @Test
  void theLastTwoEndsAreCloseTogether() throws Exception {
    List<RateSearch.Step> steps = search(10_000, 0, 3_000).steps();
    double kept =
        steps.stream().filter(s -> s.kept()).mapToDouble(s -> s.perSecond()).max().orElseThrow();
    double missed =
        steps.stream().filter(s -> !s.kept()).mapToDouble(s -> s.perSecond()).min().orElseThrow();
    assertThat(missed / kept).isBetween(1.0, 1.08);
  }

  @Test
  void aLimitThatNoRateKeepsIsAResultOfNothing() throws Exception {
    RateSearch search = search(100, 0, 100_000);
    assertThat(search.perSecond()).isZero();
    assertThat(search.steps()).noneMatch(RateSearch.Step::kept);
    assertThat(search.steps().get(search.steps().size() - 1).perSecond()).isEqualTo(20);
  }
}
