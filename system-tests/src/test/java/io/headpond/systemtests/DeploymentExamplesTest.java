// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.harness.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The images, unit files and values of examples/: that they are what their readers take for
 * well-formed. Strimzi's resources have {@link KubernetesExamplesTest}; no cluster runs here.
 */
class DeploymentExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** What the chart's own config map of the bookies says: a name that comes twice is refused. */
  private static final List<String> OF_THE_CHART =
      List.of(
          "zkServers",
          "zkLedgersRootPath",
          "httpServerEnabled",
          "httpServerPort",
          "statsProviderClass",
          "useHostNameAsBookieID",
          "autoRecoveryDaemonEnabled",
          "journalMaxBackups",
          "journalDirectories",
          "PULSAR_PREFIX_journalDirectories",
          "ledgerDirectories");

  private static final Pattern INSTRUCTION =
      Pattern.compile("(FROM \\S+|COPY( --\\S+)*( \\S+){2,}|RUN .+|ENV \\S+=.*|USER \\S+)");

  @Test
  void theHelmValuesAreYamlWhoseSettingsAreNamesOfAnEnvironment() throws Exception {
    JsonNode values = YAML.readTree(EXAMPLES.resolve("pulsar/values.yaml").toFile());
    JsonNode settings = values.at("/bookkeeper/configData");
    Map<String, String> configured = new HashMap<>();
    settings
        .properties()
        .forEach(
            setting -> {
              assertThat(setting.getKey()).matches("[A-Za-z_][A-Za-z0-9_]*").isNotIn(OF_THE_CHART);
              assertThat(setting.getValue().isTextual())
                  .as("%s: the chart takes texts only", setting.getKey())
                  .isTrue();
              configured.put(
                  setting.getKey().replace("PULSAR_PREFIX_", ""), setting.getValue().asText());
            });
    assertThat(values.at("/bookkeeper/volumes/journal/storageClassName").isTextual()).isTrue();
    assertThat(values.at("/images/bookie/tag").isTextual()).isTrue();
    assertThat(BookieSettings.namesProvider(configured::get)).isTrue();
    assertThat(BookieSettings.syncsData(configured::get)).isTrue();
  }

  private static String image(String file) throws IOException {
    return Files.readString(EXAMPLES.resolve(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"strimzi/Dockerfile", "pulsar/Dockerfile"})
  void theImagesHaveInstructionsThatDockerKnows(String file) throws Exception {
    List<String> instructions =
        image(file).replaceAll("(?m)^#.*\n", "").replaceAll("\\\\\n\\s*", "").lines().toList();
    assertThat(instructions).hasSizeGreaterThan(1).allMatch(l -> INSTRUCTION.matcher(l).matches());
    assertThat(instructions.get(0)).startsWith("FROM ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"strimzi/Dockerfile", "pulsar/Dockerfile"})
  void hadolintFindsNothingWrongWithTheImages(String file, @TempDir Path folder) throws Exception {
    String image = image(file);
    assertThat(hadolint(folder, image)).isEmpty();
    assertThat(hadolint(folder, image.replaceFirst("(?m)^(FROM [^:]*).*$", "$1")))
        .as("a base without a version is found")
        .contains("DL3006");
  }

  /** What it says of an image. */
  private static String hadolint(Path folder, String image) throws Exception {
    String program = System.getProperty("headpond.test.hadolint", "");
    Assumptions.assumeFalse(program.isEmpty(), "no -Dheadpond.test.hadolint=FILE");
    Path file = Files.writeString(folder.resolve("Dockerfile"), image);
    Path output = folder.resolve("hadolint.txt");
    ChildProcess checked =
        ChildProcess.start(
            "hadolint", List.of(program, "--no-color", file.toString()), Map.of(), folder, output);
    int exitCode = checked.awaitExit(Duration.ofSeconds(60));
    String said = Files.readString(output).strip();
    assertThat(exitCode == 0).as(said).isEqualTo(said.isEmpty());
    return said;
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka.service", "bookkeeper.service"})
  void systemdFindsNothingWrongWithTheUnits(String unit, @TempDir Path folder) throws Exception {
    String text = Files.readString(EXAMPLES.resolve("systemd").resolve(unit));
    // The programs of the engine aren't here.
    Path service =
        Files.writeString(
            folder.resolve(unit), text.replaceAll("(?m)^ExecStart=.*", "ExecStart=/bin/true"));
    Files.copy(EXAMPLES.resolve("systemd/mnt-nvme0.mount"), folder.resolve("mnt-nvme0.mount"));
    assertThat(analyzed(folder, "verify", "--man=no", service.toString())).isEmpty();
    Files.writeString(service, Files.readString(service).replace("UMask=", "UMaks="));
    assertThat(analyzed(folder, "verify", "--man=no", service.toString())).contains("UMaks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka.service", "bookkeeper.service"})
  void theUnitsGiveAwayLittle(String unit, @TempDir Path folder) throws Exception {
    String service = EXAMPLES.resolve("systemd").resolve(unit).toString();
    // 0 to 100; a unit without any such setting has 96.
    String verdict = analyzed(folder, "security", "--offline=yes", "--no-pager", service);
    assertThat(verdict).contains("Overall exposure level").doesNotContain("EXPOSED", "UNSAFE");
  }

  @Test
  void theComposeFileAdvertisesThePortItPublishes() throws Exception {
    JsonNode kafka =
        YAML.readTree(EXAMPLES.resolve("compose/compose.yaml").toFile()).at("/services/kafka");
    assertThat(kafka.at("/ports/0").asText()).isEqualTo("127.0.0.1:9092:9092");
    assertThat(kafka.at("/environment/KAFKA_CONFIG").asText())
        .isEqualTo("advertised.listeners=PLAINTEXT://localhost:9092");
  }

  @Test
  void theComposeFileLetsTheBrokerLoadNativeCodecs() throws Exception {
    JsonNode kafka =
        YAML.readTree(EXAMPLES.resolve("compose/compose.yaml").toFile()).at("/services/kafka");
    assertThat(kafka.at("/tmpfs/0").asText()).isEqualTo("/tmp:exec");
  }

  @Test
  void theUnitsWaitForTheFastDevice() throws Exception {
    String mount = Files.readString(EXAMPLES.resolve("systemd/mnt-nvme0.mount"));
    assertThat(mount).contains("\nWhere=/mnt/nvme0\n");
    for (String unit : List.of("kafka.service", "bookkeeper.service")) {
      assertThat(EXAMPLES.resolve("systemd").resolve(unit))
          .content()
          .containsPattern("(?m)^RequiresMountsFor=/mnt/nvme0/")
          .contains("AssertPathIsMountPoint=/mnt/nvme0\n");
    }
  }

  /** BookKeeper exits with 0 after a journal error, which Restart=on-failure takes for success. */
  @Test
  void aBookieThatItsJournalEndsIsStartedAgainButNotForever() {
    assertThat(EXAMPLES.resolve("systemd/bookkeeper.service"))
        .content()
        .containsPattern(
            "(?s)\\[Unit].*\nStartLimitIntervalSec=15min\nStartLimitBurst=5\n.*\\[Serv")
        .containsPattern("\nRestart=always\nRestartSec=10\n");
  }

  /** What systemd-analyze says of a unit. */
  private static String analyzed(Path folder, String... arguments) throws Exception {
    Path program = Path.of("/usr/bin/systemd-analyze");
    Assumptions.assumeTrue(Files.isExecutable(program), "systemd-analyze isn't here");
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    ChildProcess.start(
            "systemd-analyze", command, Map.of("SYSTEMD_UNIT_PATH", folder + ":"), folder, output)
        .awaitExit(Duration.ofSeconds(60));
    return Files.readString(output).strip();
  }
}
