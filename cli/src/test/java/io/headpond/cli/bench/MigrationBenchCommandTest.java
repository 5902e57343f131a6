// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationBenchCommandTest {
  @TempDir Path root;
  private Path fast;
  private Path home;

  @BeforeEach
  void makeDirectories() throws IOException {
    fast = Files.createDirectory(root.resolve("fast"));
    home = Files.createDirectory(root.resolve("home"));
  }

  private Run run(String... more) {
    String[] all = new String[4 + more.length];
    all[0] = "bench";
    all[1] = "migration";
    all[2] = "--fast=" + fast;
    all[3] = "--home=" + home;
    System.arraycopy(more, 0, all, 4, more.length);
    return Run.of(all);
  }

  @Test
  void aSwitchAndManySegmentsAreMeasuredAndNothingIsLeft() throws IOException {
    Run run =
        run(
            "--measures=switches,segments",
            "--switches=1",
            "--segments=1000",
            "--rounds=1",
            "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("fast_durability").asText()).isNotEmpty();
    assertThat(json.get("switches").get("stall_ms").get("max").asDouble()).isPositive();
    assertThat(json.get("many").get("choice_nanos").get("1000").asDouble()).isPositive();
    assertThat(json.get("many").get("segments_per_second").get("median").asDouble()).isPositive();
    assertThat(json.get("rate").isNull()).as("not asked for").isTrue();
    try (var files = Files.list(fast);
        var others = Files.list(home)) {
      assertThat(files).isEmpty();
      assertThat(others).isEmpty();
    }
  }

  @Test
  void whatCanNotBeMeasuredIsWrongUsage() {
    assertThat(run("--measures=magic").err()).contains("'magic' is none of rate");
    assertThat(run("--rounds=0").exitCode()).isEqualTo(2);
    assertThat(run("--bytes=1").exitCode()).isEqualTo(2);
    assertThat(Run.of("bench", "migration", "--home=" + root.resolve("nowhere")).exitCode())
        .isEqualTo(1);
  }
}
