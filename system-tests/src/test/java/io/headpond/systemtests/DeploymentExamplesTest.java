// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.BookieSettings.Devices;
import io.headpond.harness.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The resources, unit files and images of docs/, read out of the pages: that they are what their
 * readers take for well-formed. Nothing of it is run in a cluster here.
 */
class DeploymentExamplesTest {
  private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern INSTRUCTION =
      Pattern.compile("(FROM \\S+|COPY( --\\S+)*( \\S+){2,}|RUN .+|ENV \\S+=.*|USER \\S+)");

  /** The first block of code with a line that begins so, without its indent. */
  private static String block(String page, String line) throws IOException {
    String text = Files.readString(DOCS.resolve(page));
    Matcher blocks = Pattern.compile("(?m)(^ {4}.*\n|^\n(?= {4}))+").matcher(text);
    while (blocks.find()) {
      String block = blocks.group().stripTrailing().replaceAll("(?m)^ {4}", "");
      if (block.lines().anyMatch(each -> each.startsWith(line))) {
        return block.strip() + "\n";
      }
    }
    throw new AssertionError(page + " has no block with " + line);
  }

  /** Refuses what a class has no property for, where Strimzi's keep it and only warn. */
  private static ObjectMapper strict() {
    ObjectMapper strict = new ObjectMapper();
    strict.setAnnotationIntrospector(
        new JacksonAnnotationIntrospector() {
          private static final long serialVersionUID = 1L;

          @Override
          public Boolean hasAnySetter(Annotated annotated) {
            return Boolean.FALSE;
          }
        });
    return strict;
  }

  @Test
  void theNodePoolIsOneThatStrimziUnderstandsWhole() throws Exception {
    JsonNode given = YAML.readTree(block("installation.md", "apiVersion: kafka.strimzi.io"));
    assertThat(given.at("/kind").asText()).isEqualTo("KafkaNodePool");
    assertThat(given.at("/apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
    // Not named in the code: its annotations' classes aren't there to compile against.
    Class<?> model = Class.forName("io.strimzi.api.kafka.model.nodepool.KafkaNodePool");
    JsonNode understood = strict().valueToTree(strict().treeToValue(given, model));
    assertThat(leaves("", understood.get("spec"))).containsAll(leaves("", given.get("spec")));
    Set<String> volumes = new TreeSet<>();
    given.at("/spec/template/pod/volumes").forEach(v -> volumes.add(v.get("name").asText()));
    for (JsonNode mount : given.at("/spec/template/kafkaContainer/volumeMounts")) {
      assertThat(mount.get("mountPath").asText()).as("where Strimzi allows it").startsWith("/mnt/");
      assertThat(volumes.remove(mount.get("name").asText())).isTrue();
    }
    assertThat(volumes).isEmpty();
  }

  @Test
  void aNodePoolWithAPropertyThatStrimziDoesNotKnowIsRefused() throws Exception {
    String pool = block("installation.md", "apiVersion: kafka.strimzi.io");
    JsonNode wrong = YAML.readTree(pool.replace("volumeMounts:", "volumeMount:"));
    Class<?> model = Class.forName("io.strimzi.api.kafka.model.nodepool.KafkaNodePool");
    assertThatThrownBy(() -> strict().treeToValue(wrong, model))
        .hasMessageContaining("volumeMount");
  }

  private static Set<String> leaves(String path, JsonNode node) {
    Set<String> leaves = new TreeSet<>();
    if (node.isValueNode()) {
      leaves.add(path + "=" + node.asText());
    }
    node.properties().forEach(e -> leaves.addAll(leaves(path + "/" + e.getKey(), e.getValue())));
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      leaves.addAll(leaves(path + "/" + i, node.get(i)));
    }
    return leaves;
  }

  @Test
  void theHelmValuesAreYamlWhoseSettingsAreNamesOfAnEnvironment() throws Exception {
    JsonNode values = YAML.readTree(block("pulsar.md", "bookkeeper:"));
    JsonNode settings = values.at("/bookkeeper/configData");
    Map<String, String> configured = new HashMap<>();
    settings
        .properties()
        .forEach(
            setting -> {
              assertThat(setting.getKey()).matches("[A-Za-z_][A-Za-z0-9_]*");
              assertThat(setting.getValue().isTextual())
                  .as("%s: the chart takes texts only", setting.getKey())
                  .isTrue();
              configured.put(
                  setting.getKey().replace("PULSAR_PREFIX_", ""), setting.getValue().asText());
            });
    assertThat(values.at("/bookkeeper/additionalCommand").asText())
        .startsWith("echo headpond.journal.persist=");
    assertThat(values.at("/bookkeeper/volumes/journal/storageClassName").isTextual()).isTrue();
    assertThat(values.at("/images/bookie/tag").isTextual()).isTrue();
    assertThat(BookieSettings.namesProvider(configured::get)).isTrue();
    // What the archive ships, and the values leave as it is.
    configured.put(
        "ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
    assertThat(BookieSettings.examine(configured::get, new Devices(false, false, 512))).isEmpty();
  }

  /** The instructions of a page's image, with a version in the place of {@code <version>}. */
  private static String image(String page) throws IOException {
    String block = block(page, "# Dockerfile");
    String image =
        block.startsWith("# Dockerfile\n")
            ? block.replaceFirst("#.*\n", "")
            : block
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^# *(Dockerfile: *)?", ""))
                .collect(Collectors.joining("\n", "", "\n"));
    return image.replace("<version>", "0.49.1-kafka-4.1.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"installation.md", "pulsar.md"})
  void theImagesHaveInstructionsThatDockerKnows(String page) throws Exception {
    List<String> instructions = image(page).replaceAll("\\\\\n\\s*", "").lines().toList();
    assertThat(instructions).hasSizeGreaterThan(1).allMatch(l -> INSTRUCTION.matcher(l).matches());
    assertThat(instructions.get(0)).startsWith("FROM ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"installation.md", "pulsar.md"})
  void hadolintFindsNothingWrongWithTheImages(String page, @TempDir Path folder) throws Exception {
    String image = image(page);
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

  @Test
  void systemdFindsNothingWrongWithTheUnitFile(@TempDir Path folder) throws Exception {
    Path program = Path.of("/usr/bin/systemd-analyze");
    Assumptions.assumeTrue(Files.isExecutable(program), "systemd-analyze isn't here");
    Path unit = folder.resolve("kafka.service");
    Files.writeString(
        unit, "[Unit]\nDescription=Kafka\n[Service]\nExecStart=/bin/true\nUser=root\n");
    Path dropIn = Files.createDirectory(folder.resolve("kafka.service.d"));
    Files.writeString(dropIn.resolve("headpond.conf"), block("installation.md", "[Unit]"));
    ChildProcess checked =
        ChildProcess.start(
            "systemd-analyze",
            List.of(program.toString(), "verify", "--man=no", unit.toString()),
            Map.of("SYSTEMD_UNIT_PATH", folder + ":"),
            folder,
            folder.resolve("output"));
    int exitCode = checked.awaitExit(Duration.ofSeconds(60));
    assertThat(checked.tail(20)).doesNotContain("headpond.conf");
    assertThat(exitCode).as(checked.tail(20)).isZero();
  }
}
