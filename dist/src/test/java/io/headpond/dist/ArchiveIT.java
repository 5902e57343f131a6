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
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archives as people get them: unpacked elsewhere, started from elsewhere. */
class ArchiveIT {
  /** A link of Markdown to another page or file. */
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]+)");

  @TempDir static Path root;
  private static Archive installation;
  private static Archive laboratory;

  private record Run(int exitCode, String output) {}

  @BeforeAll
  static void unpack() throws Exception {
    installation =
        Archive.unpack(Archive.OPERATORS, Files.createDirectory(root.resolve("unpacked here")));
    laboratory = Archive.unpack(Archive.LABORATORY, Files.createDirectory(root.resolve("the lab")));
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
    return started(installation.resolve("bin/headpond"), arguments);
  }

  private static Run started(Path program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  @Test
  void everythingAnOperatorNeedsIsThere() {
    for (String file :
        List.of(
            "README.md",
            "LICENSE",
            "NOTICE",
            "CHANGELOG.md",
            "ARCHITECTURE.md",
            "SECURITY.md",
            "conf/headpond.properties",
            "conf/headpond-completion.bash",
            "docs/cli.md",
            "docs/errors.md",
            "docs/installation.md",
            "docs/quick-start.md",
            "docs/sizing.md",
            "docs/configuration.md",
            "docs/runbook.md",
            "docs/safety.md",
            "docs/on-disk-format.md",
            "examples/README.md")) {
      assertThat(installation.resolve(file)).exists();
    }
  }

  @Test
  void everyLinkOfAPageLeadsToAFile() throws IOException {
    for (Archive archive : List.of(installation, laboratory)) {
      try (Stream<Path> files = Files.walk(archive.folder())) {
        for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
          LINK.matcher(Files.readString(page))
              .results()
              .map(link -> page.resolveSibling(link.group(1)))
              .forEach(target -> assertThat(target).as("linked from " + page).exists());
        }
      }
    }
  }

  @Test
  void theArchivesHaveChecksums() throws Exception {
    for (Archive archive : List.of(installation, laboratory)) {
      Path sums = archive.file().resolveSibling(archive.file().getFileName() + ".sha512");
      Run check =
          run(
              "sh",
              "-c",
              "cd \"$0\" && sha512sum -c \"$1\"",
              sums.getParent().toString(),
              sums.toString());
      assertThat(check.exitCode()).as(check.output()).isZero();
      assertThat(check.output()).contains(archive.file().getFileName() + ": OK");
    }
  }

  @Test
  void everyJarOfOursHasLicenceAndNotice() throws Exception {
    for (String jar : jars(installation.resolve("lib"))) {
      try (JarFile file = new JarFile(installation.resolve("lib/" + jar).toFile())) {
        assertThat(file.getEntry("META-INF/LICENSE")).as(jar).isNotNull();
        assertThat(file.getEntry("META-INF/NOTICE")).as(jar).isNotNull();
      }
    }
  }

  @Test
  void aBrokerGetsOnlyThePlugIn() throws IOException {
    for (Archive archive : List.of(installation, laboratory)) {
      assertThat(jars(archive.resolve("lib")))
          .hasSize(5)
          .allMatch(
              name -> name.matches("headpond-(bookkeeper|nio|observe|store|pmem)-[0-9.]+\\.jar"));
    }
  }

  private static List<String> jars(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(Files::isRegularFile)
          .map(p -> p.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void anOperatorGetsNeitherAnEngineNorTheLaboratory() throws IOException {
    assertThat(installation.resolve("lib/kafka-4.4")).doesNotExist();
    assertThat(installation.resolve("lib/lab")).doesNotExist();
    assertThat(installation.resolve("bin/headpond-lab")).doesNotExist();
    assertThat(jars(installation.resolve("lib/cli")))
        .allMatch(
            name ->
                name.matches(
                    "(headpond-(cli|harness|lab-bookkeeper|lab-pulsar)|picocli|jackson-[a-z]+"
                        + "|HdrHistogram|kafka-clients|lz4-java|snappy-java|zstd-jni|slf4j-[a-z]+)"
                        + "-[0-9].*\\.jar"));
  }

  @Test
  void withoutAnEngineTheDemoSaysHowToNameOne() throws Exception {
    Run demo = headpond("demo", "--duration", "2s");
    assertThat(demo.exitCode()).isEqualTo(1);
    assertThat(demo.output()).contains("--engine-home").hasLineCount(1);
  }

  @Test
  void theLaboratoryRuns() throws Exception {
    Run version = started(laboratory.resolve("bin/headpond-lab"), "--version");
    assertThat(version.output()).startsWith("headpond-lab ");
    Run run =
        started(
            laboratory.resolve("bin/headpond-lab"),
            "channel",
            "--append=4KiB",
            "--no-growth",
            "--iterations=1");
    assertThat(run.exitCode()).as(run.output()).isZero();
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
    everyCommandHasAManPage(installation, "docs/cli.md");
    everyCommandHasAManPage(laboratory, "docs/lab.md");
  }

  private static void everyCommandHasAManPage(Archive archive, String file) throws IOException {
    String page = Files.readString(archive.resolve(file));
    for (String heading : page.lines().filter(line -> line.startsWith("## ")).toList()) {
      String name = heading.substring(3).replace(' ', '-');
      assertThat(archive.resolve("man/man1/" + name + ".1"))
          .content()
          .contains(".TH \"" + name.toUpperCase(Locale.ROOT).replace("-", "\\-") + "\" \"1\"")
          .contains(".SH \"SYNOPSIS\"");
    }
  }

  @Test
  void theLaboratoryHasAKafka() throws IOException {
    try (Stream<Path> jars = Files.list(laboratory.resolve("lib/kafka-4.4"))) {
      assertThat(jars).anyMatch(jar -> jar.getFileName().toString().startsWith("kafka_2.13-"));
    }
  }
}
