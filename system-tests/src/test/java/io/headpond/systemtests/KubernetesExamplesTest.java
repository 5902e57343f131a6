// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * examples/strimzi, as the classes of Strimzi and of Kubernetes' client read it: nothing that they
 * don't know, nothing that they drop. Nothing of it is applied to a cluster here.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "Strimzi's classes are for Java 21")
class KubernetesExamplesTest {
  private static final Path FOLDER = Path.of("..", "examples", "strimzi").toAbsolutePath();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** Not named in the code, which Java 17 must compile. */
  private static final Map<String, String> MODELS =
      Map.of(
          "Kafka", "io.strimzi.api.kafka.model.kafka.Kafka",
          "KafkaNodePool", "io.strimzi.api.kafka.model.nodepool.KafkaNodePool",
          "ConfigMap", "io.fabric8.kubernetes.api.model.ConfigMap",
          "PersistentVolume", "io.fabric8.kubernetes.api.model.PersistentVolume",
          "PersistentVolumeClaim", "io.fabric8.kubernetes.api.model.PersistentVolumeClaim",
          "StorageClass", "io.fabric8.kubernetes.api.model.storage.StorageClass");

  private static List<JsonNode> resources(String file) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    YAML.readerFor(JsonNode.class)
        .<JsonNode>readValues(FOLDER.resolve(file).toFile())
        .forEachRemaining(all::add);
    return all;
  }

  private static JsonNode resource(String file, String kind) throws IOException {
    return resources(file).stream()
        .filter(each -> each.at("/kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static Class<?> model(JsonNode resource) throws ClassNotFoundException {
    return Class.forName(MODELS.get(resource.get("kind").asText()));
  }

  /** Refuses what a class has no property for, where the models keep it and only warn. */
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

  @ParameterizedTest
  @ValueSource(strings = {"kafka.yaml", "broker-volumes.yaml"})
  void everyResourceIsUnderstoodWhole(String file) throws Exception {
    for (JsonNode given : resources(file)) {
      JsonNode understood = strict().valueToTree(strict().treeToValue(given, model(given)));
      assertThat(leaves("", understood)).as(file).containsAll(leaves("", given));
      assertThat(understood.get("apiVersion")).isEqualTo(given.get("apiVersion"));
    }
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
  void aPropertyThatStrimziDoesNotKnowIsRefused() throws Exception {
    JsonNode pool = resource("kafka.yaml", "KafkaNodePool");
    JsonNode wrong =
        new ObjectMapper().readTree(pool.toString().replace("templatedVolumes", "templateVolumes"));
    assertThatThrownBy(() -> strict().treeToValue(wrong, model(wrong)))
        .hasMessageContaining("templateVolumes");
  }

  @Test
  void everyMountHasAVolumeWhereStrimziAllowsIt() throws Exception {
    JsonNode pool = resource("kafka.yaml", "KafkaNodePool");
    Set<String> volumes = new TreeSet<>();
    pool.at("/spec/template/pod/templatedVolumes")
        .forEach(volume -> volumes.add(volume.get("name").asText()));
    for (JsonNode mount : pool.at("/spec/template/kafkaContainer/volumeMounts")) {
      assertThat(mount.get("mountPath").asText()).startsWith("/mnt/");
      assertThat(volumes.remove(mount.get("name").asText())).isTrue();
    }
    assertThat(volumes).isEmpty();
    String claim =
        resource("broker-volumes.yaml", "PersistentVolumeClaim").at("/metadata/name").asText();
    assertThat(
            pool.at("/spec/template/pod/templatedVolumes/0/persistentVolumeClaim/claimName")
                .asText())
        .isEqualTo(claim.replace("10", "{nodeId}"));
  }

  @Test
  void theBrokersConfigurationIsOneThatHeadpondReads(@TempDir Path folder) throws Exception {
    StringBuilder lines = new StringBuilder("log.dirs=/var/lib/kafka/data-0/kafka-log10\n");
    resource("kafka.yaml", "Kafka")
        .at("/spec/kafka/config")
        .properties()
        .forEach(e -> lines.append(e.getKey() + "=" + e.getValue().asText() + "\n"));
    StoreConfig config = StoreConfig.load(Files.writeString(folder.resolve("kafka"), lines));
    assertThat(config.tiers()).hasSize(1);
  }

  @Test
  void theExportersRulesAreThoseOfConf() throws Exception {
    JsonNode map = resource("kafka.yaml", "ConfigMap");
    Path conf = Path.of("..", "conf", "headpond-jmx-exporter.yml");
    assertThat(YAML.readTree(map.at("/data/rules.yaml").asText()))
        .isEqualTo(YAML.readTree(conf.toFile()));
    JsonNode reference =
        resource("kafka.yaml", "Kafka").at("/spec/kafka/metricsConfig/valueFrom/configMapKeyRef");
    assertThat(reference.get("name")).isEqualTo(map.at("/metadata/name"));
    assertThat(reference.get("key").asText()).isEqualTo("rules.yaml");
  }
}
