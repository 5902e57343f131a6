// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.lab.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelCommandTest {
  @TempDir Path root;

  @Test
  void oneSizeIsMeasuredAndNothingIsLeft() throws IOException {
    Run run =
        Run.of(
            "channel",
            root.toString(),
            "--append=4KiB",
            "--no-growth",
            "--forks=0",
            "--iterations=1",
            "--iteration=10ms",
            "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("durability").asText()).isNotEmpty();
    assertThat(json.get("results")).isNotEmpty();
    for (JsonNode row : json.get("results")) {
      assertThat(row.get("append_bytes").asInt()).isEqualTo(4096);
      assertThat(row.get("median_ns").asDouble()).isPositive();
    }
    try (var files = Files.list(root)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void whatCanNotBeMeasuredIsWrongUsage() {
    assertThat(Run.of("run").exitCode()).isEqualTo(2);
    assertThat(Run.of("channel", "--append=65MiB").err()).contains("64 MiB");
    assertThat(Run.of("channel", "--append=4").err()).contains("not a size");
    assertThat(Run.of("channel", "--iterations=0").exitCode()).isEqualTo(2);
    assertThat(Run.of("channel", root.resolve("nowhere").toString()).exitCode()).isEqualTo(1);
  }
}
