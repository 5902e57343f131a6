// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

class HeadpondTest {
  private static final int COMMANDS_MAX = 8;
  private static final int OPTIONS_MAX = 40;

  @Test
  void theVersionIsTheOneOfTheBuild() {
    Run run = Run.of("--version");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("headpond ")
        .doesNotContain("${")
        .contains("Java " + Runtime.version());
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    Run run = Run.of("no-such-command");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("no-such-command").contains("headpond --help");
  }

  @Test
  void noCommandAtAllIsWrongUsage() {
    Run run = Run.of();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("headpond --help");
  }

  @Test
  void aCommandWithoutArgumentsAnswersWithItsExample() {
    assertThat(Run.of().err()).contains("For example: headpond demo");
    assertThat(Run.of("drain").err()).contains("For example: headpond drain /var/lib/kafka");
    assertThat(Run.of("migrate").err())
        .contains("For example: headpond migrate /var/lib/kafka orders-3 --to pmem");
    assertThat(Run.of("status").err()).contains("For example: headpond status /var/lib/kafka");
    assertThat(Run.of("verify", "--jsno").err()).doesNotContain("For example");
  }

  @Test
  void whatWasProbablyMeantIsNamed() {
    Run command = Run.of("statsu");
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.err())
        .contains("unknown command 'statsu'; did you mean status?")
        .hasLineCount(2);
    assertThat(Run.of("drian", "/tmp").err()).contains("did you mean drain?");
    assertThat(Run.of("nonsense").err()).contains("'nonsense'").doesNotContain("did you mean");
    Run option = Run.of("verify", "--jsno", "/tmp");
    assertThat(option.exitCode()).isEqualTo(2);
    assertThat(option.err()).contains("did you mean --json?").hasLineCount(2);
    assertThat(Run.of("doctor", "--cofnig=x").err()).contains("did you mean --config?");
    assertThat(Run.of("help").err()).contains("did you mean --help?");
    assertThat(Run.of("version").err()).contains("did you mean --version?");
  }

  @Test
  void aWrongValueIsAnsweredWithThoseThatThereAre() {
    Run engine = Run.of("demo", "--engine", "Plusar");
    assertThat(engine.exitCode()).isEqualTo(2);
    assertThat(engine.err())
        .contains("'Plusar' is none of kafka, bookkeeper, pulsar; did you mean pulsar?")
        .hasLineCount(2);
    assertThat(Run.of("plan", "--partitions", "few").err()).contains("'few' is not a number");
  }

  /** An option needs a second user with another value. */
  @Test
  void thereAreNoMoreCommandsAndOptionsThanAnyoneNeeds() {
    List<String> commands = new ArrayList<>();
    List<String> options = new ArrayList<>();
    Headpond.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              commands.add(name);
              for (OptionSpec option : command.getCommandSpec().options()) {
                if (!option.usageHelp()
                    && !option.versionHelp()
                    && !option.longestName().equals("--debug")) {
                  options.add(name + " " + option.longestName());
                }
              }
            });
    assertThat(commands).hasSizeLessThanOrEqualTo(COMMANDS_MAX);
    assertThat(options).hasSizeLessThanOrEqualTo(OPTIONS_MAX);
  }
}
