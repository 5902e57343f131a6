// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.event.RefusedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The built jars in child JVMs, on every Java version there is. */
class DefaultProviderIT {
  static final List<TestJdks> JDKS = TestJdks.all();

  private static final String OURS = HeadpondFileSystemProvider.class.getName();
  private static final String TESTS = ChildJvm.location(ChildMain.class).toString();
  private static final String MAIN = ChildMain.class.getName();
  private static final String BUILT_IN = "provider sun.nio.fs.";

  @TempDir Path folder;

  private Path plugin;
  private Path configuration;
  private Path logDir;
  private Path tier;

  @BeforeEach
  void anInstallation() throws IOException {
    plugin = ChildJvm.installPlugin(Files.createDirectory(folder.resolve("plug in")));
    tier = Files.createDirectory(folder.resolve("tier"));
    logDir = Files.createDirectory(folder.resolve("log"));
    configuration = folder.resolve("server.properties");
    Files.write(
        configuration,
        List.of("log.dirs=" + logDir, "headpond.tiers=fast", "headpond.tier.fast.paths=" + tier));
  }

  private ChildJvm run(final TestJdks jdk, final String... arguments)
      throws IOException, InterruptedException {
    return ChildJvm.run(jdk, folder, arguments);
  }

  private ChildJvm withProperty(final TestJdks jdk, final String... job)
      throws IOException, InterruptedException {
    return run(
        jdk,
        and(
            List.of(ChildJvm.PROVIDER, config(), "-cp", plugin + ":" + slf4j() + TESTS, MAIN),
            job));
  }

  private ChildJvm withAgent(final TestJdks jdk, final String... job)
      throws IOException, InterruptedException {
    return run(
        jdk,
        and(
            List.of("-javaagent:" + plugin + "=" + configuration, "-cp", slf4j() + TESTS, MAIN),
            job));
  }

  private static String slf4j() {
    return ChildJvm.location(org.slf4j.Logger.class)
        + ":"
        + ChildJvm.location(org.slf4j.impl.SimpleLogger.class)
        + ":";
  }

  private String config() {
    return "-D" + HeadpondAgent.CONFIG_KEY + "=" + configuration;
  }

  private static String[] and(final List<String> first, final String... more) {
    final List<String> all = new ArrayList<>(first);
    all.addAll(Arrays.asList(more));
    return all.toArray(new String[0]);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void thePropertyAloneSwitchesItOn(final TestJdks jdk) throws Exception {
    final ChildJvm child = withProperty(jdk, "report");
    assertThat(child.out()).contains("provider " + OURS, "path " + HeadpondPath.class.getName());
    assertThat(child.err()).isEmpty();
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentAloneSwitchesItOn(final TestJdks jdk) throws Exception {
    final ChildJvm child = withAgent(jdk, "report");
    assertThat(child.out()).contains("provider " + OURS);
    assertThat(child.err()).isEmpty();
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentAgreesWithTheProperty(final TestJdks jdk) throws Exception {
    final ChildJvm child =
        run(
            jdk,
            "-javaagent:" + plugin,
            ChildJvm.PROVIDER,
            config(),
            "-cp",
            plugin + ":" + TESTS,
            MAIN,
            "report");
    assertThat(child.out()).contains("provider " + OURS);
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void everythingElseOfTheDefaultFileSystemWorks(final TestJdks jdk) throws Exception {
    final Path place = Files.createDirectory(folder.resolve("place"));
    final ChildJvm child = withProperty(jdk, "tour", place.toString());
    assertThat(child.err()).isEmpty();
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void asTheDefaultProviderItDoesWhatTheBuiltInOneDoes(final TestJdks jdk) throws Exception {
    final Path place = Files.createDirectory(folder.resolve("place"));
    final ChildJvm child = withAgent(jdk, "differential", place.toString());
    assertThat(child.err().lines()).as("its segment is in no log directory").hasSize(1);
    assertThat(child.err()).contains("HP0603");
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void withoutAConfigurationItSaysSoInOneLine(final TestJdks jdk) throws Exception {
    final ChildJvm child = run(jdk, ChildJvm.PROVIDER, "-cp", plugin + ":" + TESTS, MAIN, "report");
    assertThat(child.err().lines())
        .singleElement()
        .asString()
        .contains("headpond:", "-Dheadpond.config=FILE", "unchanged");
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentRefusesToDoNothing(final TestJdks jdk) throws Exception {
    final List<String> agents = List.of("-javaagent:" + plugin, "-javaagent:" + plugin + "=");
    for (final String agent : agents) {
      final ChildJvm child = run(jdk, agent, "-cp", slf4j() + TESTS, MAIN, "report");
      assertThat(child.err()).contains("-javaagent names no configuration file", "JAR=FILE");
      assertThat(child.out()).isEmpty();
      assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
    }
    Files.writeString(configuration, "broker.id=1\n");
    final ChildJvm child = withAgent(jdk, "report");
    assertThat(child.err()).contains(configuration + " names no log directory");
    assertThat(child.out()).isEmpty();
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void aRefusalIsTheLastThingThatIsSaid(final TestJdks jdk) throws Exception {
    Files.delete(tier);
    final String[] job = {"claim", logDir.toString()};
    for (final ChildJvm child : List.of(withProperty(jdk, job), withAgent(jdk, job))) {
      assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
      assertThat(child.err().lines())
          .as("in the log, which is here, and on standard error")
          .hasSize(2)
          .allMatch(line -> line.contains("HP0102 tier fast: " + tier));
    }
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void aBadConfigurationEndsTheJvmBeforeTheApplication(final TestJdks jdk) throws Exception {
    Files.writeString(configuration, "headpond.tires=fast\n");
    for (final ChildJvm child : List.of(withProperty(jdk, "report"), withAgent(jdk, "report"))) {
      assertThat(child.err()).contains(configuration.toString(), "headpond.tires");
      assertThat(child.out()).isEmpty();
      assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
    }
    Files.delete(configuration);
    final ChildJvm child = withProperty(jdk, "report");
    assertThat(child.err()).contains(configuration.toString());
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void aRelativeConfigurationIsNamedByItsWholePath(final TestJdks jdk) throws Exception {
    Files.writeString(configuration, "headpond.tires=fast\n");
    final ChildJvm child =
        run(
            jdk,
            "-javaagent:" + plugin + "=" + configuration.getFileName(),
            "-cp",
            slf4j() + TESTS,
            MAIN,
            "report");
    assertThat(child.err()).contains(configuration + ": headpond.tires");
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void aMissingJarIsNamed(final TestJdks jdk) throws Exception {
    Files.delete(plugin.resolveSibling(plugin.getFileName().toString().replace("nio", "store")));
    final ChildJvm child = withProperty(jdk, "report");
    assertThat(child.err()).contains("headpond-store");
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentRefusesAnotherDefaultProvider(final TestJdks jdk) throws Exception {
    final ChildJvm child =
        run(
            jdk,
            "-D" + HeadpondAgent.PROVIDER_KEY + "=com.example.Other",
            "-javaagent:" + plugin + "=" + configuration,
            "-cp",
            TESTS,
            MAIN,
            "report");
    assertThat(child.err()).contains("headpond:", "com.example.Other");
    assertThat(child.out()).isEmpty();
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentRefusesASecondConfiguration(final TestJdks jdk) throws Exception {
    final ChildJvm child =
        run(
            jdk,
            "-Dheadpond.config=other.properties",
            "-javaagent:" + plugin + "=" + configuration,
            "-cp",
            TESTS,
            MAIN,
            "report");
    assertThat(child.err()).contains("other.properties", configuration.toString());
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentMayBeNamedTwiceWithOneConfiguration(final TestJdks jdk) throws Exception {
    final ChildJvm same = withTwoAgents(jdk, configuration.toString());
    assertThat(same.out()).contains("provider " + OURS);
    assertThat(same.exitCode()).isZero();

    final ChildJvm another = withTwoAgents(jdk, "other.properties");
    assertThat(another.err())
        .contains(configuration + " (", "another -javaagent", "other.properties (by -javaagent)");
    assertThat(another.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  private ChildJvm withTwoAgents(final TestJdks jdk, final String second)
      throws IOException, InterruptedException {
    return run(
        jdk,
        "-javaagent:" + plugin + "=" + configuration,
        "-javaagent:" + plugin + "=" + second,
        "-cp",
        slf4j() + TESTS,
        MAIN,
        "report");
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentRefusesToComeTooLate(final TestJdks jdk) throws Exception {
    final Path earlier =
        ChildJvm.jar(folder.resolve("earlier.jar"), "Premain-Class: " + MAIN, ChildMain.class);
    final ChildJvm child =
        run(
            jdk,
            "-javaagent:" + earlier,
            "-javaagent:" + plugin + "=" + configuration,
            "-cp",
            TESTS,
            MAIN,
            "report");
    assertThat(child.out()).contains("agent: sun.nio.fs.").doesNotContain("provider ");
    assertThat(child.err()).contains("headpond:", "before every other");
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }

  /** As Prometheus' and OpenTelemetry's, which open files before the application begins. */
  @ParameterizedTest
  @FieldSource("JDKS")
  void anotherAgentMayComeAfterOurs(final TestJdks jdk) throws Exception {
    final Path later =
        ChildJvm.jar(folder.resolve("later.jar"), "Premain-Class: " + MAIN, ChildMain.class);
    final ChildJvm child =
        run(
            jdk,
            "-javaagent:" + plugin + "=" + configuration,
            "-javaagent:" + later,
            "-cp",
            slf4j() + TESTS,
            MAIN,
            "claim",
            logDir.toString());
    assertThat(child.out()).contains("agent: " + HeadpondPath.class.getName(), "claimed");
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theEnginesLoggingIsNotTouchedBeforeTheClaim(final TestJdks jdk) throws Exception {
    final ChildJvm before =
        run(
            jdk,
            and(
                List.of("-Xlog:class+load", ChildJvm.PROVIDER, config(), "-cp"),
                plugin + ":" + slf4j() + TESTS,
                MAIN,
                "loaded"));
    assertThat(before.out()).contains("main").doesNotContain("org.slf4j");
    final ChildJvm claimed = withProperty(jdk, "claim", logDir.toString());
    assertThat(claimed.out()).contains("claimed");
    assertThat(claimed.err()).contains("INFO io.headpond");
    assertThat(claimed.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void otherJvmsReadThroughTheLinksInSilence(final TestJdks jdk) throws Exception {
    assertThat(withAgent(jdk, "claim", logDir.toString()).exitCode()).isZero();
    final ChildJvm reader =
        withProperty(jdk, "read", logDir.resolve("t-0/00000000000000000000.log").toString());
    assertThat(reader.out()).contains("content records");
    assertThat(reader.err()).isEmpty();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void whatIsDroppedWhileTheJvmEndsIsGivenBack(final TestJdks jdk) throws Exception {
    final ChildJvm child = withProperty(jdk, "drop", logDir.toString());
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.err()).doesNotContain("Exception");
    try (Stream<Path> files = Files.walk(tier.resolve("segments"))) {
      assertThat(files.filter(Files::isRegularFile)).as("files in the tier").hasSize(1);
    }
    assertThat(logDir.resolve("t-0/00000000000000000000.log")).hasContent("recordsmore");
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void segmentsMadeAroundThePluginAreReported(final TestJdks jdk) throws Exception {
    final ChildJvm child = withProperty(jdk, "preallocate", logDir.toString());
    assertThat(child.exitCode()).isZero();
    assertThat(child.err().lines().filter(line -> line.contains("WARN")))
        .hasSize(2)
        .allMatch(line -> line.contains("written around Headpond"));
    assertThat(child.err()).contains("11.log was", "(1 such", "20.log was", "(10 such");
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void theAgentWorksWithAClassDataArchive(final TestJdks jdk) throws Exception {
    final Path application = ChildJvm.jar(folder.resolve("application.jar"), "", ChildMain.class);
    final Path archive = folder.resolve("application.jsa");
    assertThat(
            run(
                    jdk,
                    "-XX:ArchiveClassesAtExit=" + archive,
                    "-cp",
                    application.toString(),
                    MAIN,
                    "report")
                .out())
        .contains(BUILT_IN);
    final ChildJvm child =
        run(
            jdk,
            "-XX:SharedArchiveFile=" + archive,
            "-Xlog:class+load",
            "-javaagent:" + plugin + "=" + configuration,
            "-cp",
            application.toString(),
            MAIN,
            "report");
    assertThat(child.out())
        .contains("provider " + OURS)
        .containsPattern("ChildMain source: shared objects file \\(top\\)");
    assertThat(child.exitCode()).isZero();
  }

  @ParameterizedTest
  @FieldSource("JDKS")
  void aJvmThatWouldArchiveTheProviderIsRefused(final TestJdks jdk) throws Exception {
    final Path application = ChildJvm.jar(folder.resolve("application.jar"), "", ChildMain.class);
    final Path archive = folder.resolve("trap.jsa");
    final ChildJvm child =
        run(
            jdk,
            "-XX:ArchiveClassesAtExit=" + archive,
            ChildJvm.PROVIDER,
            config(),
            "-cp",
            plugin + ":" + application,
            MAIN,
            "report");
    assertThat(child.err()).contains("headpond:", "-XX:ArchiveClassesAtExit=" + archive);
    assertThat(child.exitCode()).isEqualTo(RefusedStart.EXIT_CODE);
  }
}
