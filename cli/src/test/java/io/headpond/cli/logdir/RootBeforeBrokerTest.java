// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What root runs before the first start of a broker of another user leaves nothing of root's. */
class RootBeforeBrokerTest {
  @ParameterizedTest
  @ValueSource(strings = {"doctor FILE", "status LOGDIR", "verify LOGDIR"})
  void aCommandMakesNoFile(String command, @TempDir Path root) throws IOException {
    CutFixture fixture = new CutFixture(root);
    String file = fixture.configuration(false).toString();
    List<Path> before = everything(root);
    String logDir = fixture.logDir().toString();
    Run.of(
        Stream.of(command.split(" "))
            .map(word -> word.replace("FILE", file).replace("LOGDIR", logDir))
            .toArray(String[]::new));
    assertThat(everything(root)).isEqualTo(before);
  }

  private static List<Path> everything(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.sorted().toList();
    }
  }
}
