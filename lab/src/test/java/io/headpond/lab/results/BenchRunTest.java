// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class BenchRunTest {

  private record Own(int turnsMade, List<String> curves) {}

  private record Clash(String figures) {}

  private static ObjectNode document(Object details) throws IOException {
    CommandSpec spec = CommandSpec.create().name("failure");
    new CommandLine(spec).parseArgs();
    Figure figure =
        new Figure.Kind("gap", "gap", "s", false).of("", "headpond", Spread.of(3, 1), "baseline");
    return new BenchRun(spec)
        .document(
            new Measurement(
                Map.of("kafka", "4.0.0"),
                List.of(figure),
                Map.of(),
                0,
                details,
                List.of(new Label("NOT VALID", "one failed"))));
  }

  @Test
  void theBenchmarksOwnKeysComeAfterThoseThatAllHave() throws IOException {
    ObjectNode document = document(new Own(2, List.of()));
    assertThat(document.fieldNames())
        .toIterable()
        .containsExactly(
            "schema",
            "command",
            "headpond",
            "started",
            "duration_seconds",
            "machine",
            "versions",
            "settings",
            "devices",
            "labels",
            "figures",
            "turns_made",
            "curves");
    assertThat(document.get("schema").asText()).isEqualTo("headpond-bench-failure/1");
    assertThat(document.get("versions").fieldNames()).toIterable().containsExactly("java", "kafka");
    assertThat(document.get("labels").get(0).get("name").asText()).isEqualTo("NOT VALID");
    assertThat(document.get("figures").get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "load", "metric", "title", "unit", "more_is_better", "variant", "values", "ratio_to");
    assertThat(document.get("figures").get(0).get("values")).hasToString("[3.0,1.0]");
  }

  @Test
  void aKeyThatAllHaveIsNotTheBenchmarksToWrite() {
    assertThatThrownBy(() -> document(new Clash("mine")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'figures'");
  }
}
