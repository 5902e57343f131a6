// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresCsvTest {
  @TempDir Path root;

  @Test
  void everyRoundOfEveryFigureIsALineAndTextIsQuoted() throws IOException {
    Path file = root.resolve("figures.csv");
    Figure figure =
        new Figure(
            "1 KiB, \"acks\"=1",
            "produce",
            "produce",
            "MB/s",
            true,
            "headpond",
            List.of(1.5, 2e9),
            List.of());
    FiguresCsv.write(file, List.of(figure));
    assertThat(Files.readString(file))
        .isEqualTo(
            "load,metric,unit,more_is_better,variant,round,value\r\n"
                + "\"1 KiB, \"\"acks\"\"=1\",\"produce\",\"MB/s\",true,\"headpond\",1,1.5\r\n"
                + "\"1 KiB, \"\"acks\"\"=1\",\"produce\",\"MB/s\",true,\"headpond\",2,2.0E9\r\n");
  }
}
