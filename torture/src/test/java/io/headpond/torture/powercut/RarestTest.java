// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RarestTest {
  private static final List<String> ALL = List.of("roll", "truncation", "migration");
  private static final int CHOICES = 4_000;

  private static Map<String, Integer> chosen(Map<String, Integer> hits) {
    Random random = new Random(1);
    Map<String, Integer> chosen = new HashMap<>();
    for (int i = 0; i < CHOICES; i++) {
      chosen.merge(Rarest.of(ALL, each -> each, hits, random), 1, Integer::sum);
    }
    return chosen;
  }

  @Test
  void whatWasHitLeastIsAimedAtMostButNotAlone() {
    Map<String, Integer> chosen = chosen(Map.of("roll", 147, "truncation", 16, "migration", 45));
    assertThat(chosen.get("truncation")).isGreaterThan(CHOICES * 3 / 4);
    assertThat(chosen.get("roll")).isGreaterThan(CHOICES / 20);
    assertThat(chosen.get("migration")).isGreaterThan(CHOICES / 20);
  }

  @Test
  void amongThoseThatWereNeverHitItIsByChance() {
    Map<String, Integer> chosen = chosen(Map.of("roll", 1));
    assertThat(chosen.get("truncation")).isGreaterThan(CHOICES * 2 / 5);
    assertThat(chosen.get("migration")).isGreaterThan(CHOICES * 2 / 5);
  }

  @Test
  void aCampaignThatAimsSoHitsAllOfThemAboutEqually() {
    Random random = new Random(2);
    Map<String, Integer> hits = new HashMap<>(Map.of("roll", 40));
    for (int i = 0; i < 80; i++) {
      hits.merge(Rarest.of(ALL, each -> each, hits, random), 1, Integer::sum);
    }
    assertThat(hits.values()).allMatch(count -> count >= 30);
  }
}
