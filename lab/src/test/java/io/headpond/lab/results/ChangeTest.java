// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static io.headpond.lab.results.Results.figure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headpond.lab.results.Change.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChangeTest {
  private static final double[] LOW = {10, 11, 12, 13, 14, 15, 16, 17};
  private static final double[] HIGH = {20, 21, 22, 23, 24, 25, 26, 27};

  private static Series series(boolean moreIsBetter, double... values) {
    return Series.of(List.of(figure("metric", moreIsBetter, "headpond", values))).get(0);
  }

  private static Change change(boolean moreIsBetter, double[] a, double[] b) {
    return Change.of(
            List.<Series[]>of(new Series[] {series(moreIsBetter, a), series(moreIsBetter, b)}))
        .get(0);
  }

  @Test
  void whichDirectionIsBetterDependsOnTheFigure() {
    assertThat(change(true, LOW, HIGH).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(change(true, HIGH, LOW).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(change(false, LOW, HIGH).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(change(false, HIGH, LOW).verdict()).isEqualTo(Verdict.BETTER);
  }

  @Test
  void theChanceIsThatOfTheExactTest() {
    // wilcox.test(c(1,2,3,4), c(5,6,7,8)) of R: p-value = 0.02857
    Change four = change(true, new double[] {1, 2, 3, 4}, new double[] {5, 6, 7, 8});
    assertThat(four.p()).isCloseTo(2.0 / 70, within(1e-9));
    // wilcox.test(c(1,3,5,7,9), c(2,4,6,8,20)): W = 10, p-value = 0.6905
    Change mixed = change(true, new double[] {1, 3, 5, 7, 9}, new double[] {2, 4, 6, 8, 20});
    assertThat(mixed.p()).isCloseTo(0.6905, within(5e-5));
    assertThat(mixed.verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
  }

  @Test
  void theSameValuesAreNotDistinguishable() {
    assertThat(change(true, LOW, LOW).verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
    double[] all = {5, 5, 5, 5, 5};
    Change constant = change(true, all, all);
    assertThat(constant.verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
    assertThat(constant.p()).isEqualTo(1);
  }

  @Test
  void threeRoundsAreTooFewHoweverFarApart() {
    double[] low = {1, 2, 3};
    assertThat(change(true, low, new double[] {1000, 1001, 1002}).verdict())
        .isEqualTo(Verdict.TOO_FEW_ROUNDS);
    assertThat(change(true, new double[] {1}, HIGH).verdict()).isEqualTo(Verdict.TOO_FEW_ROUNDS);
    assertThat(
            change(true, new double[] {1, 2, 3, 4}, new double[] {1000, 1001, 1002, 1003})
                .verdict())
        .isEqualTo(Verdict.BETTER);
  }

  /** Each alone would be called changed in one of twenty cases. */
  @Test
  void ofManyFiguresThatDidNotChangeHardlyAnyIsCalledChanged() {
    Random random = new Random(17);
    int named = 0;
    long below = 0;
    for (int run = 0; run < 50; run++) {
      List<Series[]> pairs = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        pairs.add(new Series[] {noise(random), noise(random)});
      }
      List<Change> changes = Change.of(pairs);
      below += changes.stream().filter(c -> c.p() <= Change.FALSE_SHARE).count();
      named += changes.stream().anyMatch(c -> c.verdict() != Verdict.NOT_DISTINGUISHABLE) ? 1 : 0;
    }
    assertThat(below).as("of 2,000 p-values").isBetween(50L, 150L);
    assertThat(named).as("of 50 comparisons").isLessThan(7);
  }

  private static Series noise(Random random) {
    return series(true, random.doubles(8, 90, 110).toArray());
  }

  @Test
  void aRealChangeIsFoundAmongManyFiguresThatDidNotChange() {
    Random random = new Random(18);
    List<Series[]> pairs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      pairs.add(new Series[] {noise(random), noise(random)});
    }
    pairs.add(new Series[] {series(true, HIGH), series(true, LOW)});
    List<Change> changes = Change.of(pairs);
    assertThat(changes.get(40).verdict()).isEqualTo(Verdict.WORSE);
  }
}
