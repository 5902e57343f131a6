// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.config.TierType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConvertConfigCommandTest {
  /** As in Pafka's config/server.properties after 0.2. */
  private static final String TIERED =
      """
      # The id of the broker.
      broker.id=7

      log.dirs=/tmp/pafka-logs
      # log file channel type; Options: "file", "pmem", "tiered".
      log.channel.type=tiered
      storage.tiers.types=NVME,HDD
      storage.tiers.first.paths=/nvme0,/nvme1
      storage.tiers.first.sizes=600000000000,600000000000
      storage.tiers.second.paths=/hdd0, /hdd1
      storage.migrate.threshold=0.6
      storage.migrate.threads=4
      log.pmem.pool.ratio=0.8
      # log.preallocate have to set to true if pmem is used
      log.preallocate=true
      listeners=PLAINTEXT://:9092,\\
        CONTROLLER://:9093
      """;

  /** As in the README of 0.2. */
  private static final String MIX =
      """
      log.dirs=/pmem/kafka-pool
      storage.pmem.path=/pmem/kafka
      storage.pmem.size=600000000000
      storage.hdd.path=/hdd/kafka-pool
      log.pmem.pool.ratio=0.8
      log.channel.type=mix
      # log.preallocate have to set to true if pmem is used
      log.preallocate=true
      zookeeper.connect=localhost:2181
      """;

  /** As in config/server-pmem.properties of 0.1. */
  private static final String PMEM =
      """
      log.dirs=/pmem/kafka
      storage.pmem.path=/pmem/kafka
      storage.pmem.size=50000000000
      log.pmem.pool.ratio=0.6
      log.channel.type=pmem
      log.preallocate=true
      """;

  @TempDir Path root;

  private Run convert(String text, String... options) throws IOException {
    Path file = Files.writeString(root.resolve("pafka.properties"), text);
    List<String> args = new ArrayList<>(List.of("convert-config", file.toString()));
    args.addAll(List.of(options));
    return Run.of(args.toArray(String[]::new));
  }

  /** Converts into a file, and reads that as the plug-in does. */
  private StoreConfig converted(String text, String... options) throws Exception {
    Path output = root.resolve("server.properties");
    List<String> all = new ArrayList<>(List.of("-o", output.toString()));
    all.addAll(List.of(options));
    Run run = convert(text, all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return StoreConfig.load(output);
  }

  private Properties properties() throws IOException {
    Properties properties = new Properties();
    try (var in = Files.newBufferedReader(root.resolve("server.properties"))) {
      properties.load(in);
    }
    return properties;
  }

  @Test
  void twoTiersOfAnyFileSystemBecomeATierAndHome() throws Exception {
    StoreConfig config = converted(TIERED);
    TierConfig tier = config.tiers().get(0);
    assertThat(tier.name()).isEqualTo("nvme");
    assertThat(tier.type()).isEqualTo(TierType.FILE);
    assertThat(tier.paths())
        .containsExactly(Path.of("/nvme0/headpond"), Path.of("/nvme1/headpond"));
    assertThat(tier.capacityBytes()).hasValue(1_200_000_000_000L);
    assertThat(tier.threshold()).isEqualTo(0.6);
    assertThat(config.migrateThreads()).isEqualTo(4);
    assertThat(config.logDirs())
        .containsExactly(Path.of("/hdd0/kafka-logs"), Path.of("/hdd1/kafka-logs"));
    assertThat(config.preallocate()).isFalse();
  }

  @Test
  void whatIsNotPafkasStaysAsItIs() throws Exception {
    converted(TIERED);
    assertThat(Files.readString(root.resolve("server.properties")))
        .contains(
            "# The id of the broker.\nbroker.id=7\n\n# Pafka: log.dirs=/tmp/pafka-logs\n#   ->")
        .contains("listeners=PLAINTEXT://:9092,\\\n  CONTROLLER://:9093\n")
        .contains("# Pafka: log.preallocate=true\n#   -> dropped: Pafka needed it");
    assertThat(properties())
        .containsEntry("listeners", "PLAINTEXT://:9092,CONTROLLER://:9093")
        .doesNotContainKeys("log.channel.type", "log.preallocate", "log.pmem.pool.ratio");
    assertThat(properties().stringPropertyNames()).noneMatch(key -> key.startsWith("storage."));
  }

  @Test
  void memoryOverDisksOfTheSecondVersion() throws Exception {
    StoreConfig config = converted(MIX);
    TierConfig tier = config.tiers().get(0);
    assertThat(tier.name()).isEqualTo("pmem");
    assertThat(tier.type()).isEqualTo(TierType.PMEM);
    assertThat(tier.paths()).containsExactly(Path.of("/pmem/kafka/headpond"));
    assertThat(tier.capacityBytes()).hasValue(600_000_000_000L);
    assertThat(tier.threshold()).isEqualTo(0.5);
    assertThat(config.logDirs()).containsExactly(Path.of("/hdd/kafka-pool/kafka-logs"));
    Run run = convert(MIX);
    assertThat(run.err()).contains("ZooKeeper").contains("only Pafka reads its format");
  }

  @Test
  void memoryAloneNeedsAHome() throws Exception {
    Run run = convert(PMEM);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).contains("no second layer").contains("--log-dirs");
    StoreConfig config = converted(PMEM, "--log-dirs", "/data1/kafka,/data2/kafka");
    assertThat(config.logDirs()).containsExactly(Path.of("/data1/kafka"), Path.of("/data2/kafka"));
    assertThat(config.tiers().get(0).paths()).containsExactly(Path.of("/pmem/kafka/headpond"));
    assertThat(config.tiers().get(0).capacityBytes()).hasValue(50_000_000_000L);
  }

  @Test
  void aTierInsideTheNewHomeIsRefused() throws Exception {
    Run run = convert(PMEM, "--log-dirs", "/pmem/kafka");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("give each its own directory");
  }

  @Test
  void switchedOffStaysSwitchedOff() throws Exception {
    StoreConfig config =
        converted(TIERED.replace("log.channel.type=tiered", "log.channel.type=file"));
    assertThat(config.tiers()).isEmpty();
    assertThat(config.logDirs()).containsExactly(Path.of("/tmp/pafka-logs"));
    assertThat(properties()).doesNotContainKeys("log.preallocate", "storage.tiers.types");
  }

  @Test
  void noMigrationAndNoPoolStaySo() throws Exception {
    StoreConfig config =
        converted(
            TIERED.replace("threshold=0.6", "threshold=-1").replace("ratio=0.8", "ratio=0.0"));
    assertThat(config.tiers().get(0).threshold()).isEqualTo(-1);
    assertThat(config.tiers().get(0).poolBytes()).hasValue(0);
  }

  @Test
  void allTheSpaceIsTheDefault() throws Exception {
    StoreConfig config = converted(TIERED.replace("sizes=600000000000,600000000000", "sizes=-1"));
    assertThat(config.tiers().get(0).capacityBytes()).isEmpty();
  }

  @Test
  void theSmallestOfSeveralSizesCountsForEachDirectory() throws Exception {
    StoreConfig config =
        converted(TIERED.replace("sizes=600000000000,600000000000", "sizes=400000000000,-1"));
    assertThat(config.tiers().get(0).capacityBytes()).hasValue(800_000_000_000L);
  }

  @Test
  void moreThreadsThanWeHaveAreCut() throws Exception {
    assertThat(converted(TIERED.replace("threads=4", "threads=64")).migrateThreads()).isEqualTo(16);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log.channel.type=tired",
        "storage.migrate.threshold=60",
        "storage.migrate.threshold=half",
        "storage.migrate.threads=0",
        "storage.tiers.first.sizes=1",
        "storage.tiers.first.sizes=600GB,600GB",
        "storage.tiers.first.paths=,",
        "storage.tiers.types=TAPE,HDD",
        "headpond.tiers=nvme"
      })
  void aValueThatMakesNoSenseIsRefusedAndNothingIsWritten(String wrong) throws IOException {
    Run run = convert(TIERED + wrong, "-o", root.resolve("server.properties").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1);
    assertThat(run.err()).contains(wrong.substring(0, wrong.indexOf('.')));
    assertThat(root.resolve("server.properties")).doesNotExist();
  }

  @Test
  void aConfigurationOfAnUnforkedKafkaIsRefused() throws IOException {
    Run run = convert("broker.id=1\nlog.dirs=/data\nlog.preallocate=true\n");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("no key of Pafka");
  }

  @Test
  void aFileThatIsThereIsNotOverwritten() throws Exception {
    Path there = Files.writeString(root.resolve("there"), "mine");
    Run run = convert(MIX, "-o", there.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("there already");
    assertThat(there).hasContent("mine");
  }

  @Test
  void otherCharactersThanAsciiStay() throws Exception {
    Path file = root.resolve("latin.properties");
    Path output = root.resolve("out.properties");
    byte[] latin = ("# Größe\n" + MIX).getBytes(StandardCharsets.ISO_8859_1);
    Files.write(file, latin);
    assertThat(Run.of("convert-config", file.toString(), "-o", output.toString()).exitCode())
        .isZero();
    assertThat(new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1))
        .startsWith("# Größe\n");
  }

  @Test
  void asJsonEachKeyHasItsFate() throws Exception {
    Run run = convert(TIERED, "--json");
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("ok").asBoolean()).isTrue();
    assertThat(json.get("found")).hasSize(10);
    assertThat(json.get("settings")).hasSize(7);
    assertThat(json.get("configuration").asText()).contains("headpond.tiers=nvme");
  }
}
