// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMeasureTest {
  @TempDir Path root;

  private Path measured() throws IOException {
    Run run = Run.of("doctor", "--measure", "--json", root.toString());
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    try (var files = Files.list(root)) {
      assertThat(files).as("left behind").isEmpty();
    }
    return Files.writeString(root.resolve("measured.json"), run.out());
  }

  @Test
  void aDeviceIsMeasuredLeftAsItWasAndPlannedWith() throws IOException {
    Path file = measured();
    JsonNode figures = new ObjectMapper().readTree(file.toFile()).at("/measured/0");
    assertThat(figures.get("path").asText()).isEqualTo(root.toString());
    assertThat(figures.get("write_bytes_per_second").asLong()).isPositive();
    List<String> ways = new ArrayList<>();
    for (JsonNode appends : figures.get("appends")) {
      ways.add(appends.get("way").asText() + " " + appends.get("append_bytes").asInt());
      assertThat(appends.get("number").asInt()).isPositive();
      assertThat(appends.get("p99_micros").asDouble())
          .isGreaterThanOrEqualTo(appends.get("p50_micros").asDouble());
      assertThat(appends.get("p50_of_growing").isNull())
          .isEqualTo(appends.get("way").asText().equals("growing"));
    }
    assertThat(ways).contains("growing 4096", "growing 65536", "written 4096", "written 65536");

    String[] plan = {
      "plan", "--burst-rate", "100GiB", "--burst-length", "60s", "--home-measured", file.toString()
    };
    Run run = Run.of(withJson(plan));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(new ObjectMapper().readTree(run.out()).get("home_bytes_per_second").asLong())
        .isEqualTo(figures.get("write_bytes_per_second").asLong());
  }

  private static String[] withJson(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    return all.toArray(String[]::new);
  }

  @Test
  void theFiguresOfSeveralDevicesAreNobodysHome() throws IOException {
    Path file = Files.writeString(root.resolve("two.json"), "{\"measured\": [{}, {}]}");
    Run run = Run.of("plan", "--burst-rate", "1GiB", "--home-measured", file.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("2 devices", "headpond doctor --measure");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{}]", "[1]", "{\"a\": 1}", "[{\"write_bytes_per_second\": \"x\"}]"})
  void aFileOfSomethingElseHoldsNoFigures(String measured) throws IOException {
    Path file = Files.writeString(root.resolve("other.json"), "{\"measured\": " + measured + "}");
    Run run = Run.of("plan", "--burst-rate", "1GiB", "--home-measured", file.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("other.json holds no write_bytes_per_second", "headpond doctor --measure");
  }

  @Test
  void withoutADirectoryNothingIsMeasured() {
    Run run = Run.of("doctor", "--measure");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--measure needs a directory");
  }

  @Test
  void whatIsNotThereIsSaidAndNotMeasured() {
    Run run = Run.of("doctor", "--measure", root.resolve("none").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("isn't there").doesNotContain("measured");
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsRefused() {
    assertThatThrownBy(() -> new DeviceMeasure(Path.of("/proc"), text -> {}).run())
        .isInstanceOf(IOException.class);
  }
}
