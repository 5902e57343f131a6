// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final double[] EVEN = {100, 101, 102, 103};
  private static final double[] MORE = {104, 105, 106, 107};

  @TempDir Path root;

  private String page(BenchResult... results) throws IOException {
    List<String> command = new ArrayList<>(List.of("report"));
    for (BenchResult result : results) {
      Path file = root.resolve("result-" + command.size() + ".json");
      command.add(Results.write(file, result).toString());
    }
    Path page = root.resolve("report.html");
    command.add("--out=" + page);
    Run run = Run.of(command.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("report.html", "result");
    return Files.readString(page);
  }

  /** Without its scripts, styles and comments. */
  private static String shown(String page) {
    return page.replaceAll("(?s)<(script|style)[^>]*>.*?</\\1>|<!--.*?-->", "");
  }

  @Test
  void goalsStandBesideWhatWasMeasuredWithTheLabels() throws IOException {
    String page = shown(page(Results.kafka(Results.produce(MORE, EVEN))));
    String goals = page.substring(page.indexOf("goals-title"), page.indexOf("</section>"));
    assertThat(goals)
        .contains(
            "produce records, records/s, headpond / vanilla-tmpfs", "≥ 0.95", "1.04", "VOLATILE")
        .contains("met in every round");
    assertThat(page.indexOf("goals-title")).isLessThan(page.indexOf("result-1-title"));
    String missed =
        shown(page(Results.kafka(Results.produce(EVEN, new double[] {90, 110, 120, 130}))));
    assertThat(missed).contains("missed, not in every round");
  }

  @Test
  void aNoisyResultIsNotJudged() throws IOException {
    BenchResult quiet = Results.kafka(Results.produce(MORE, EVEN));
    String page = shown(page(Results.labelled(quiet, Label.noisy(0.4))));
    assertThat(page)
        .contains("class=\"quiet\">not judged: NOISY<")
        .doesNotContain("class=\"met\"", "class=\"missed\"");
  }

  @Test
  void aGoalThatTheWorstMustMeetIsMissedByOneValue() throws IOException {
    double[] stalls = {1, 1, 1, 21};
    Figure stall = Results.figure("switch_stall", false, "headpond", stalls);
    String page = shown(page(Results.of("migration", Map.of(), List.of(stall))));
    assertThat(page).contains("switch stall, headpond, worst", "≤ 20.0 ms", ">missed<");
    assertThat(page).contains("≤ 5.00 ms", "met, not in every round");
  }

  @Test
  void nothingIsLoadedFromElsewhere() throws IOException {
    String page = page(Results.kafka(Results.produce(MORE, EVEN)));
    assertThat(page).contains("default-src 'none'").contains("Permission is hereby granted");
    assertThat(Pattern.compile("(src|href)=\"(?!#|data:)|@import|url\\(").matcher(page).find())
        .isFalse();
    assertThat(shown(page)).doesNotContain("{{", "{#", "{/");
  }

  @Test
  void whatAFileSaysIsTextAndNeverMarkup() throws IOException {
    Figure hostile =
        new Figure(
            "</script><script>alert(1)</script>",
            "metric",
            "<b>title</b>",
            "\"unit\"",
            true,
            "v",
            List.of(1.0, 2.0),
            List.of());
    String page = page(Results.of("kafka", Map.of("<i>", "\" onload=\"x"), List.of(hostile)));
    assertThat(page).doesNotContain("<script>alert", "<b>title", "<i>", "\" onload=\"");
    assertThat(page).contains("&lt;b&gt;title");
  }

  @Test
  void whatCanNotBeShownIsRefused() throws IOException {
    Path good =
        Results.write(root.resolve("good.json"), Results.kafka(Results.produce(MORE, EVEN)));
    Path bad = Files.writeString(root.resolve("bad.json"), "{}");
    Path page = root.resolve("report.html");
    assertThat(Run.of("report", bad.toString(), "--out=" + page).err())
        .contains("bad.json", "--json");
    assertThat(page).doesNotExist();
    assertThat(Run.of("report", good.toString()).exitCode()).isEqualTo(2);
    assertThat(Run.of("report", "--out=" + page).exitCode()).isEqualTo(2);
    String nowhere = root.resolve("nowhere/report.html").toString();
    assertThat(Run.of("report", good.toString(), "--out=" + nowhere).err())
        .contains("nowhere", "--out");
    List<String> many = new ArrayList<>(List.of("report", "--out=" + page));
    for (int i = 0; i < 51; i++) {
      many.add(good.toString());
    }
    Run refused = Run.of(many.toArray(String[]::new));
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("at most 50 results");
  }
}
