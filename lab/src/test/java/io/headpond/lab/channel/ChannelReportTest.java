// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.channel.ChannelReport.Growth;
import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelReportTest {

  @TempDir Path directory;

  private ChannelReport report(ChannelReport.Row... rows) throws IOException {
    return new ChannelReport(Device.detect(directory), Map.of(), List.of(rows));
  }

  private static ChannelReport.Row row(String subject, Growth growth, double... nanos) {
    return new ChannelReport.Row(subject, 4096, growth, Spread.of(nanos), Double.NaN);
  }

  @Test
  void aRatioIsTakenIterationByIteration() throws IOException {
    JsonNode json =
        report(
                row("headpond-none", Growth.PREGROWN, 10, 20, 90),
                row("file-channel", Growth.PREGROWN, 5, 20, 30))
            .json();
    JsonNode own = json.get("results").get(0);
    assertThat(own.get("median_ns").asDouble()).isEqualTo(20);
    assertThat(own.get("min_ns").asDouble()).isEqualTo(10);
    assertThat(own.get("max_ns").asDouble()).isEqualTo(90);
    assertThat(own.has("time_to_bare_libpmem")).isFalse();
    JsonNode ratio = own.get("time_to_file_channel");
    assertThat(ratio.get("median").asDouble()).isEqualTo(2);
    assertThat(ratio.get("min").asDouble()).isEqualTo(1);
    assertThat(ratio.get("max").asDouble()).isEqualTo(3);
    assertThat(ratio).hasSize(3);
  }

  @Test
  void whatGrowsIsDividedByAFileChannelThatGrows() throws IOException {
    ChannelReport report =
        report(
            row("headpond-none", Growth.PREPARED, 30),
            row("bare-libpmem", Growth.PREGROWN, 5),
            row("file-channel", Growth.PREGROWN, 15),
            row("file-channel", Growth.GROWING, 60));
    assertThat(report.toFileChannel(report.rows().get(0))).contains(Spread.of(0.5));
    assertThat(report.table()).contains("0.50 (0.50-0.50)");
  }
}
