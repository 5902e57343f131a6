// SPDX-License-Identifier: Apache-2.0
package io.headpond.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive as an operator gets it: unpacked elsewhere, started from elsewhere. */
class ArchiveIT {
  @TempDir static Path root;
  private static Path installation;

  private record Run(int exitCode, String output) {}

  @BeforeAll
  static void unpack() throws Exception {
    Path archive = Path.of(System.getProperty("headpond.archive"));
    Path target = Files.createDirectory(root.resolve("unpacked here"));
    Run tar = run("tar", "-xzf", archive.toString(), "-C", target.toString());
    assertThat(tar.exitCode()).as(tar.output()).isZero();
    try (Stream<Path> entries = Files.list(target)) {
      installation = entries.findFirst().orElseThrow();
    }
  }

  private static Run run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(root, "output", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();
    return new Run(process.exitValue(), Files.readString(output));
  }

  private static Run headpond(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(installation.resolve("bin/headpond").toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  @Test
  void everythingAnOperatorNeedsIsThere() {
    for (String file :
        List.of(
            "README.md",
            "LICENSE",
            "CHANGELOG.md",
            "ARCHITECTURE.md",
            "conf/headpond.properties",
            "conf/headpond-completion.bash",
            "docs/cli.md",
            "docs/errors.md",
            "docs/installation.md",
            "docs/configuration.md",
            "docs/safety.md",
            "docs/on-disk-format.md")) {
      assertThat(installation.resolve(file)).exists();
    }
  }

  @Test
  void aBrokerGetsOnlyThePlugIn() throws IOException {
    try (Stream<Path> entries = Files.list(installation.resolve("lib"))) {
      assertThat(entries.filter(Files::isRegularFile).map(p -> p.getFileName().toString()))
          .hasSize(5)
          .allMatch(
              name -> name.matches("headpond-(bookkeeper|nio|observe|store|pmem)-[0-9.]+\\.jar"));
    }
  }

  @Test
  void theCommandRunsFromAnywhereAndThroughALink() throws Exception {
    Run version = headpond("--version");
    assertThat(version.output()).startsWith("headpond ");
    assertThat(version.exitCode()).isZero();
    Path link = root.resolve("a link");
    Files.createSymbolicLink(link, installation.resolve("bin/headpond"));
    assertThat(run(link.toString(), "--version").exitCode()).isZero();
  }

  @Test
  void doctorAndVerifyRun() throws Exception {
    Path logDir = Files.createDirectories(root.resolve("log dir/orders-0")).getParent();
    Files.createFile(logDir.resolve("meta.properties"));
    Run doctor = headpond("doctor", logDir.toString());
    assertThat(doctor.exitCode()).as(doctor.output()).isZero();
    Run verify = headpond("verify", logDir.toString());
    assertThat(verify.output()).contains("OK: nothing wrong");
    assertThat(verify.exitCode()).isZero();
    Files.writeString(logDir.resolve("orders-0/00000000000000000000.log"), "not a record batch");
    Files.writeString(logDir.resolve(".kafka_cleanshutdown"), "");
    assertThat(headpond("verify", logDir.toString()).exitCode()).isEqualTo(1);
  }

  @Test
  void theShellCompletesCommandsAndOptions() throws Exception {
    String script = installation.resolve("conf/headpond-completion.bash").toString();
    assertThat(completed(script, "headpond", "ver")).isEqualTo("verify");
    assertThat(completed(script, "headpond", "verify", "--js")).isEqualTo("--json");
  }

  /** What the shell would offer; its 'compopt' complains when no key was pressed. */
  private static String completed(String script, String... words)
      throws IOException, InterruptedException {
    List<String> bash = new ArrayList<>(List.of("bash", "-c"));
    bash.add(
        "source \"$0\" && COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)) && _complete_headpond 2>/dev/null"
            + " && echo \"${COMPREPLY[*]}\"");
    bash.add(script);
    bash.addAll(List.of(words));
    Run run = run(bash.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run.output().strip();
  }

  @Test
  void everyCommandHasAManPage() throws Exception {
    String page = Files.readString(installation.resolve("docs/cli.md"));
    for (String heading : page.lines().filter(line -> line.startsWith("## ")).toList()) {
      String name = heading.substring(3).replace(' ', '-');
      assertThat(installation.resolve("man/man1/" + name + ".1"))
          .content()
          .contains(".TH \"" + name.toUpperCase(Locale.ROOT).replace("-", "\\-") + "\" \"1\"")
          .contains(".SH \"SYNOPSIS\"");
    }
  }

  @Test
  void theKafkaOfTheDemoIsThere() throws IOException {
    try (Stream<Path> jars = Files.list(installation.resolve("lib/kafka-4.3"))) {
      assertThat(jars).anyMatch(jar -> jar.getFileName().toString().startsWith("kafka_2.13-"));
    }
  }
}
