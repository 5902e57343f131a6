// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.systemtests.Command;
import io.headpond.systemtests.Workspace;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The benchmark of the journal, as short as it gets: that it measures, not how fast anything is.
 */
@Tag("extra")
class JournalBenchIT {

  @Test
  void aShortRunComparesBothProvidersAndLeavesNothingBehind() throws Exception {
    try (Workspace workspace = Workspace.create("bench-journal")) {
      Path folder = workspace.folder("device");
      StringWriter text = new StringWriter();
      int exit =
          Command.lab(
              text,
              "run",
              "journal",
              folder.toString(),
              "--entry=4KiB",
              "--rounds=1",
              "--slice=300ms",
              "--journal-size=16MiB",
              "--json");
      assertThat(exit).as(text.toString()).isZero();
      JsonNode result = new ObjectMapper().readTree(text.toString());
      assertThat(result.get("rows")).hasSize(1);
      JsonNode row = result.at("/rows/0");
      assertThat(row.get("entry_bytes").asInt()).isEqualTo(4096);
      assertThat(row.at("/throughput_ratio/median").asDouble()).isPositive();
      assertThat(row.at("/cpu_ratio/median").asDouble()).isPositive();
      assertThat(row.get("rolls").asInt()).as(row.toString()).isPositive();
      assertThat(folder).isEmptyDirectory();
    }
  }
}
