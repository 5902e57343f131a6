// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.cli.Headpond;
import io.headpond.cli.console.CommandFailure;
import io.headpond.harness.process.Engine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

  private final StringWriter errors = new StringWriter();

  @Test
  void aDurationHasLimits() {
    assertThat(run("--duration", "1s")).isEqualTo(2);
    assertThat(run("--duration", "2m")).isEqualTo(2);
    assertThat(errors.toString()).contains("--duration goes from 2s to 1m");
  }

  @Test
  void aHomeWithoutKafkaIsRefusedWithARemedy(@TempDir Path empty) {
    assertThat(run("--engine-home", empty.toString())).isEqualTo(1);
    assertThat(errors.toString())
        .contains(empty.toString())
        .contains("name the folder of an unpacked Kafka by --engine-home");
  }

  @Test
  void anEngineThatIsntThereIsNamed() {
    assertThat(run("--engine", "cassandra")).isEqualTo(2);
    assertThat(errors.toString())
        .containsIgnoringCase("cassandra")
        .containsIgnoringCase("bookkeeper");
  }

  @Test
  void aFolderWithoutTheEnginesJarsIsRefusedWithARemedy(@TempDir Path empty) {
    PrintWriter out = new PrintWriter(new StringWriter());
    assertThatThrownBy(() -> EngineJars.of(Engine.BOOKKEEPER, empty, out))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("BookKeeper")
        .hasMessageContaining(empty.toString());
  }

  private int run(String... arguments) {
    String[] all = Stream.concat(Stream.of("demo"), Stream.of(arguments)).toArray(String[]::new);
    return Headpond.commandLine().setErr(new PrintWriter(errors)).execute(all);
  }
}
