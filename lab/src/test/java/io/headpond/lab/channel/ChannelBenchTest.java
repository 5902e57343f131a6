// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChannelBenchTest {
  @Test
  void measuresOnMemoryAndSaysThatItIsVolatile() throws Exception {
    Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "headpond-bench-test-");
    try {
      ChannelBench.Options options =
          new ChannelBench.Options(
              directory,
              List.of(64 << 10),
              true,
              0,
              1,
              Duration.ofMillis(20),
              new PrintStream(OutputStream.nullOutputStream()));

      ChannelReport report = new ChannelBench(options).run();

      assertThat(report.table())
          .contains("headpond-none", "file-channel", "median ns", "GB/s", "VOLATILE");
      assertThat(report.skipped()).containsKey("headpond-jep352");
      assertThat(report.rows())
          .filteredOn(row -> row.subject().equals("headpond-none"))
          .extracting(ChannelReport.Row::growth)
          .containsExactly(ChannelReport.Growth.values());
      JsonNode json = report.json();
      assertThat(json.get("durability").asText()).isEqualTo("volatile");
      for (JsonNode row : json.get("results")) {
        assertThat(row.get("median_ns").asDouble()).isPositive();
        assertThat(row.get("time_to_file_channel").get("median").asDouble()).isPositive();
      }
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left).isEmpty();
      }
    } finally {
      Files.delete(directory);
    }
  }
}
