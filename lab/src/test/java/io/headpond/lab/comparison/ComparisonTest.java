// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.measure.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private enum Engine implements ComparedVariant {
    HEADPOND,
    VANILLA,
    OTHER;

    @Override
    public String key() {
      return name();
    }
  }

  private record Figures(String load, int round, Engine variant, double speed, double pause)
      implements RoundFigures<String, Engine> {}

  private static final List<Metric<Figures>> METRICS =
      List.of(
          new Metric<>("speed", "speed", "adds/s", true, Figures::speed),
          new Metric<>("pause", "pause", "ms", false, Figures::pause));

  private static Figures figures(int round, Engine variant, double speed) {
    return new Figures("small", round, variant, speed, Double.NaN);
  }

  private static List<Comparison<String, Engine>> compare(Figures... figures) {
    return Comparison.of(List.of(figures), METRICS, Engine.HEADPOND);
  }

  @Test
  void headpondIsDividedByTheBaselineRoundByRound() {
    List<Comparison<String, Engine>> all =
        compare(
            figures(1, Engine.HEADPOND, 300),
            figures(1, Engine.VANILLA, 100),
            figures(2, Engine.VANILLA, 400),
            figures(2, Engine.HEADPOND, 200));
    assertThat(all)
        .containsExactly(
            new Comparison<>(
                "small", "speed", "adds/s", true, Engine.HEADPOND, Spread.of(300, 200), null),
            new Comparison<>(
                "small",
                "speed",
                "adds/s",
                true,
                Engine.VANILLA,
                Spread.of(100, 400),
                Spread.of(3, 0.5)));
  }

  @Test
  void aBaselineThatGaveNothingHasNoRatioAndIsNoReference() {
    List<Comparison<String, Engine>> all =
        compare(figures(1, Engine.HEADPOND, 300), figures(1, Engine.VANILLA, 0));
    assertThat(all.get(1).headpondRatio()).isNull();
    assertThat(Figure.of(all, METRICS, load -> load)).allMatch(f -> f.ratioTo().isEmpty());
  }

  @Test
  void theFiguresOfAComparisonNameTheirBaselines() {
    List<Figure> figures =
        Figure.of(
            compare(
                figures(1, Engine.HEADPOND, 300),
                figures(1, Engine.VANILLA, 100),
                figures(2, Engine.VANILLA, 400),
                figures(2, Engine.HEADPOND, 200),
                figures(1, Engine.OTHER, 200)),
            METRICS,
            load -> "a " + load + " load");
    assertThat(figures)
        .contains(
            new Figure(
                "a small load",
                "speed",
                "speed",
                "adds/s",
                true,
                "HEADPOND",
                List.of(300.0, 200.0),
                List.of("VANILLA")))
        .extracting(Figure::variant)
        .containsExactly("HEADPOND", "VANILLA", "OTHER");
    assertThat(figures.get(1).values()).containsExactly(100.0, 400.0);
    assertThat(figures.get(1).ratioTo()).isEmpty();
  }

  @Test
  void aVariantThatMissedARoundIsNotCompared() {
    List<Comparison<String, Engine>> all =
        compare(
            figures(1, Engine.HEADPOND, 300),
            figures(2, Engine.HEADPOND, 300),
            figures(1, Engine.OTHER, 100));
    assertThat(all).hasSize(2).allMatch(c -> c.headpondRatio() == null);
  }

  @Test
  void eachLoadAndEachMeasuredMetricStandsForItself() {
    List<Comparison<String, Engine>> all =
        compare(
            new Figures("small", 1, Engine.HEADPOND, 1, 2),
            new Figures("large", 1, Engine.HEADPOND, 3, Double.NaN));
    assertThat(all)
        .extracting(c -> c.load() + " " + c.metric() + " " + c.value().median())
        .containsExactly("small speed 1.0", "small pause 2.0", "large speed 3.0");
  }
}
