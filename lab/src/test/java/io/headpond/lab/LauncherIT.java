// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts at the root, started as people do. Runs after the build, so it finds all built. */
class LauncherIT {
  private static final Path SCRIPT = Path.of("..", "headpond").toAbsolutePath().normalize();
  private static final Path LAB = Path.of("..", "headpond-lab").toAbsolutePath().normalize();
  private static final String JAVA_HOME = System.getProperty("java.home");

  @TempDir static Path root;

  private record Run(int exitCode, String out, String err) {}

  private static Run run(Path script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(root, "out", "");
    Path err = Files.createTempFile(root, "err", "");
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ended").isTrue();
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Whatever this build left out of date is brought up to date before the tests look at output. */
  @BeforeAll
  static void build() throws Exception {
    for (Path script : List.of(SCRIPT, LAB)) {
      Run first = run(script, Map.of("JAVA_HOME", JAVA_HOME), "--version");
      assertThat(first.exitCode()).as(first.err()).isZero();
    }
  }

  @Test
  void itRunsFromAnywhereThroughLinksAndSpacesWithoutBuildingAgain() throws Exception {
    Path folder = Files.createDirectory(root.resolve("a folder"));
    Path link = Files.createSymbolicLink(folder.resolve("absolute"), SCRIPT);
    Path relative = Files.createSymbolicLink(folder.resolve("relative"), Path.of("absolute"));
    for (Path script : List.of(SCRIPT, link, relative)) {
      Run run = run(script, Map.of("JAVA_HOME", JAVA_HOME), "--version");
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).startsWith("headpond ");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void itRunsBesideTheSourcesAndJavadocOfARelease() throws Exception {
    Path target = SCRIPT.resolveSibling("cli/target");
    List<Path> made = new ArrayList<>();
    try {
      for (String kind : List.of("javadoc", "sources")) {
        made.add(Files.createTempFile(target, "headpond-cli-0-", "-" + kind + ".jar"));
      }
      Run run = run(SCRIPT, Map.of("JAVA_HOME", JAVA_HOME), "--version");
      assertThat(run.out()).as(run.err()).startsWith("headpond ");
    } finally {
      for (Path jar : made) {
        Files.delete(jar);
      }
    }
  }

  @Test
  void theLaboratoryStartsByItsOwnNameAlsoThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(root.resolve("laboratory"), LAB);
    for (Path script : List.of(LAB, link)) {
      Run run = run(script, Map.of("JAVA_HOME", JAVA_HOME), "--version");
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).startsWith("headpond-lab ");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void theLaboratoryNamesItselfInErrors() throws Exception {
    Run run = run(LAB, Map.of("JAVA_HOME", "/no/such/jdk"), "--version");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).startsWith("headpond-lab: ");
  }

  @Test
  void exitCodesReachTheShell() throws Exception {
    Map<String, String> environment = Map.of("JAVA_HOME", JAVA_HOME);
    assertThat(run(SCRIPT, environment, "verify").exitCode()).isEqualTo(2);
    assertThat(run(SCRIPT, environment, "verify", "/no/such/dir").exitCode()).isEqualTo(1);
  }

  @Test
  void theCommandLearnsHowWideTheTerminalIs() throws Exception {
    Path pseudoTerminal = Path.of("/usr/bin/script");
    Assumptions.assumeTrue(Files.isExecutable(pseudoTerminal), "no " + pseudoTerminal);
    Path java = Files.createDirectories(root.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    // In an unpacked archive nothing is built, whatever Java there is.
    Path archive = Files.createDirectories(root.resolve("archive/lib/cli")).resolve("../..");
    Path script = Files.createDirectories(archive.resolve("bin")).resolve("headpond");
    Files.copy(SCRIPT, script, StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    Map<String, String> environment = Map.of("JAVA_HOME", root.resolve("jdk").toString());
    assertThat(run(script, environment, "status").out()).doesNotContain("headpond.terminal");
    String shown = "stty cols 93; '" + script + "' status";
    Run terminal = run(pseudoTerminal, environment, "-qec", shown, "/dev/null");
    assertThat(terminal.out()).contains("-Dheadpond.terminal.columns=93 ");
  }

  /** A source tree whose Maven waits until a terminal, if there is one, shows what it builds. */
  private static Path sourceTree(String name) throws IOException {
    Path tree = Files.createDirectories(root.resolve(name));
    Files.createDirectories(tree.resolve("cli"));
    Files.createFile(tree.resolve("cli/pom.xml"));
    Files.copy(SCRIPT, tree.resolve("headpond"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(
        tree.resolve("mvnw"),
        """
        echo '[INFO] Building Headpond :: store 0.2.0                   [2/9]'
        [ ! -e terminal ] || for i in $(seq 600); do
          grep -q 's, store (2 of 9)' terminal && break
          sleep 0.1
        done
        mkdir -p cli/target && echo 17 >cli/target/built.stamp
        """);
    assertThat(tree.resolve("mvnw").toFile().setExecutable(true)).isTrue();
    Path bin = Files.createDirectories(tree.resolve("jdk/bin"));
    Files.writeString(tree.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    for (String tool : List.of("java", "javac")) {
      Files.writeString(bin.resolve(tool), "#!/bin/sh\necho started\n");
      assertThat(bin.resolve(tool).toFile().setExecutable(true)).isTrue();
    }
    return tree;
  }

  @Test
  void aTerminalShowsWhatTheFirstStartBuilds() throws Exception {
    Path pseudoTerminal = Path.of("/usr/bin/script");
    Assumptions.assumeTrue(Files.isExecutable(pseudoTerminal), "no " + pseudoTerminal);
    Path tree = sourceTree("shown");
    Path terminal = Files.createFile(tree.resolve("terminal"));
    Map<String, String> environment =
        Map.of("JAVA_HOME", tree.resolve("jdk").toString(), "TERM", "xterm");
    String start = "'" + tree.resolve("headpond") + "' status";
    run(pseudoTerminal, environment, "-qefc", start, terminal.toString());
    assertThat(Files.readString(terminal))
        .contains("first start; building takes about a minute", "s, store (2 of 9)", "started");
  }

  @Test
  void aFirstStartWithoutATerminalSaysOnlyThatItBuilds() throws Exception {
    Path tree = sourceTree("quiet");
    Map<String, String> environment = Map.of("JAVA_HOME", tree.resolve("jdk").toString());
    Run run = run(tree.resolve("headpond"), environment, "status");
    assertThat(run.out()).isEqualTo("started\n");
    assertThat(run.err()).hasLineCount(2).contains("built in ").doesNotContain("\r");
  }

  @Test
  void aStartThatWaitsForAnotherOnesBuildSaysSo() throws Exception {
    Path tree = sourceTree("waiting");
    Path lock = Files.createDirectories(tree.resolve("target/headpond-build.lock"));
    Path pid = Files.writeString(lock.resolve("pid"), ProcessHandle.current().pid() + "\n");
    ProcessBuilder builder = new ProcessBuilder(tree.resolve("headpond").toString(), "status");
    builder.environment().put("JAVA_HOME", tree.resolve("jdk").toString());
    Process process = builder.redirectErrorStream(true).start();
    try (BufferedReader said = process.inputReader()) {
      assertThat(said.readLine())
          .contains("waits for another start (process " + ProcessHandle.current().pid() + ")")
          .contains("rm -r \"" + lock.toRealPath() + "\"");
      Files.delete(pid);
      Files.delete(lock);
      assertThat(said.lines().toList()).contains("started");
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void pathsWithOtherLettersThanAsciiWorkInThePosixLocale() throws Exception {
    Path logDir = Files.createDirectories(root.resolve("log dir ü"));
    Files.createFile(logDir.resolve("meta.properties"));
    Map<String, String> posix = Map.of("JAVA_HOME", JAVA_HOME, "LC_ALL", "C", "LANG", "C");
    Run run = run(SCRIPT, posix, "verify", logDir.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("OK: nothing wrong");
  }

  @Test
  void aWrongJavaHomeIsOneClearLine() throws Exception {
    Run run = run(SCRIPT, Map.of("JAVA_HOME", "/no/such/jdk"), "--version");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).contains("/no/such/jdk").contains("JDK 17 or newer");
  }

  @Test
  void anOldJavaIsRefusedByItsVersion() throws Exception {
    Path old = Files.createDirectories(root.resolve("jdk8/bin")).getParent();
    Files.writeString(old.resolve("bin/java"), "#!/bin/sh\n");
    assertThat(old.resolve("bin/java").toFile().setExecutable(true)).isTrue();
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"1.8.0_402\"\n");
    Run run = run(SCRIPT, Map.of("JAVA_HOME", old.toString()), "--version");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("is Java 1.8.0_402").contains("17 or newer");
  }
}
