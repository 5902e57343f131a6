// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadFileTest {

  /** What the files of the OpenMessaging Benchmark look like. */
  static final String USUAL =
      """
      # A comment.

      name: 1 topic / 16 partitions / 1Kb

      topics: 1
      partitionsPerTopic: 16
      keyDistributor: "NO_KEY"
      messageSize: 1024
      subscriptionsPerTopic: 1
      consumerPerSubscription: 2
      producersPerTopic: 3
      producerRate: 50000
      consumerBacklogSizeGB: 0
      testDurationMinutes: 15
      """;

  @TempDir Path folder;

  private MessagingWorkload read(String text) throws IOException {
    return WorkloadFile.read(written(text));
  }

  private Path written(String text) throws IOException {
    return Files.writeString(folder.resolve("workload.yaml"), text);
  }

  /** The usual file with another line for a key, or one more. */
  private static String with(String key, String value) {
    String others =
        USUAL
            .lines()
            .filter(line -> !line.startsWith(key + ":"))
            .reduce("", (all, line) -> all + line + "\n");
    return others + key + ": " + value + "\n";
  }

  @Test
  void aFileOfTheBenchmarkIsReadAsItIs() throws IOException {
    MessagingWorkload workload = read(USUAL);

    assertThat(workload.name()).isEqualTo("1 topic / 16 partitions / 1Kb");
    assertThat(workload.topics()).isEqualTo(1);
    assertThat(workload.partitions()).isEqualTo(16);
    assertThat(workload.keys()).isEqualTo(KeyDistribution.NO_KEY);
    assertThat(workload.messageBytes()).isEqualTo(1024);
    assertThat(workload.consumersPerSubscription()).isEqualTo(2);
    assertThat(workload.producersPerTopic()).isEqualTo(3);
    assertThat(workload.messagesPerSecond()).isEqualTo(50_000);
    assertThat(workload.backlogBytes()).isZero();
    assertThat(workload.testMinutes()).isEqualTo(15);
  }

  @Test
  void whatIsLeftOutIsWhatTheBenchmarkTakesForIt() throws IOException {
    MessagingWorkload workload = read(USUAL.replaceAll("(?m)^(name|keyDistributor):.*\n", ""));

    assertThat(workload.name()).isEqualTo("workload.yaml");
    assertThat(workload.keys()).isEqualTo(KeyDistribution.NO_KEY);
    assertThat(workload.warmUpMinutes()).isEqualTo(1);
    assertThat(workload.drainRatio()).isEqualTo(1);
    assertThat(workload.payload().fixed()).isEmpty();
    assertThat(workload.payload().pool()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1-topic-16-partitions-1kb.yaml",
        "10-topics-3-partitions-100b.yaml",
        "1-topic-4-partitions-4kb-backlog.yaml"
      })
  void theShippedExamplesAreRead(String name) throws IOException {
    Path file = Path.of("..", "conf", "workloads", name);
    assertThat(WorkloadFile.read(file).messagesPerSecond()).isPositive();
  }

  @Test
  void aBacklogIsInGibibytes() throws IOException {
    assertThat(read(with("consumerBacklogSizeGB", "3")).backlogBytes()).isEqualTo(3L << 30);
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void aPayloadFileLiesBesideTheWorkloadOrAboveIt(String base) throws IOException {
    Path workloads = Files.createDirectories(folder.resolve("workloads"));
    Path payload = workloads.resolve(base).resolve("payload").normalize();
    Files.createDirectories(payload);
    byte[] content = "x".repeat(1024).getBytes(StandardCharsets.US_ASCII);
    Files.write(payload.resolve("1Kb.data"), content);
    Path file =
        Files.writeString(workloads.resolve("w.yaml"), with("payloadFile", "\"payload/1Kb.data\""));

    assertThat(WorkloadFile.read(file).payload().fixed()).contains(content);
  }

  @Test
  void aPayloadFileOfAnotherSizeIsRefused() throws IOException {
    Files.write(folder.resolve("p.data"), new byte[1000]);
    assertThatThrownBy(() -> read(with("payloadFile", "p.data")))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("workload.yaml: payloadFile: ", "p.data has 1000 bytes", "1024");
  }

  @Test
  void randomizedPayloadsKeepTheirShareAndPool() throws IOException {
    MessagingWorkload workload =
        read(
            with("useRandomizedPayloads", "true")
                + "randomBytesRatio: 0.5\nrandomizedPayloadPoolSize: 1000\n");

    assertThat(workload.payload().randomShare()).isEqualTo(0.5);
    assertThat(workload.payload().pool()).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topics | 0 | it goes from 1 to 10000",
        "topics | -1 | it goes from 1 to 10000",
        "topics | 10001 | it goes from 1 to 10000",
        "topics | 99999999999999999999 | it goes from 1 to 10000",
        "topics | 1.5 | isn't a whole number",
        "topics | many | isn't a whole number",
        "topics | [1] | isn't a whole number",
        "partitionsPerTopic | 10001 | it goes from 1 to 10000",
        "messageSize | 63 | it goes from 64 to 1000000",
        "messageSize | 1000001 | it goes from 64 to 1000000",
        "producerRate | -5 | it goes from 0 to 2147483647",
        "producersPerTopic | 257 | it goes from 1 to 256",
        "subscriptionsPerTopic | 2 | it goes from 0 to 1",
        "consumerBacklogSizeGB | 100001 | it goes from 0 to 100000",
        "testDurationMinutes | 0 | it goes from 1 to 10080",
        "backlogDrainRatio | 1.01 | isn't a share",
        "backlogDrainRatio | .nan | isn't a share",
        "useRandomizedPayloads | 3 | neither true nor false",
        "keyDistributor | ROUND | choose one of [NO_KEY, KEY_ROUND_ROBIN, RANDOM_NANO]",
        "payloadFile | nowhere.data | put it there, or take the line out",
        "payloadFile | 17 | isn't text",
        "producerIncrementRate | 7 | isn't a key of a workload",
      })
  void aBadValueIsRefusedByFileAndKeyAndRemedy(String key, String value, String said) {
    assertThatThrownBy(() -> read(with(key, value)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("workload.yaml: ", key, said, "; ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"topics", "messageSize", "producerRate", "testDurationMinutes"})
  void aMissingKeyIsRefused(String key) {
    String others = USUAL.replaceAll("(?m)^" + key + ":.*\n", "");
    assertThatThrownBy(() -> read(others))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("workload.yaml: " + key + ": is missing; add the line");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topics: 100, partitionsPerTopic: 100 | partitionsPerTopic: 101",
        "topics: 128, producersPerTopic: 2 | producersPerTopic: 3",
        "topics: 128, consumerPerSubscription: 2 | consumerPerSubscription: 3",
        "producerRate: 1, consumerBacklogSizeGB: 1 | producerRate: 0",
        "consumerPerSubscription: 0, consumerBacklogSizeGB: 0 | consumerBacklogSizeGB: 1",
        "useRandomizedPayloads: true, randomizedPayloadPoolSize: 65536 | randomizedPayloadPoolSize: 65537",
        "useRandomizedPayloads: true, randomizedPayloadPoolSize: 1 | randomizedPayloadPoolSize: 0",
      })
  void whatNoSingleMachineRunsIsRefused(String allowed, String refused) throws IOException {
    String text = with("producersPerTopic", "1");
    text = text.replace("consumerPerSubscription: 2", "consumerPerSubscription: 1");
    for (String line : allowed.split(", ")) {
      String key = line.split(":")[0];
      text = text.replaceAll("(?m)^" + key + ":.*\n", "") + line + "\n";
    }
    assertThat(read(text)).isNotNull();

    String key = refused.split(":")[0];
    String more = text.replaceAll("(?m)^" + key + ":.*\n", "") + refused + "\n";
    assertThatThrownBy(() -> read(more))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("workload.yaml: " + key + ": ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "- topics",
        "topics: 1\ntopics: 2\n",
        "topics: !!java.net.URL [\"http://127.0.0.1/\"]",
        "a: &a [1]\nb: [*a, *a]",
        "a: [[[[[[[[1]]]]]]]]",
        "topics: {",
        "\t",
        "2001-99-99: 1",
        "? [1]\n: 2",
      })
  void whatIsNoWorkloadIsRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("workload.yaml: ");
  }

  @Test
  void aFileOfAnotherEncodingOrSizeIsRefused() throws IOException {
    Path file = written("");
    Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xe9});
    assertThatThrownBy(() -> WorkloadFile.read(file)).hasMessageContaining("isn't UTF-8");

    String padding = "#".repeat(WorkloadFile.FILE_BYTES_MAX - USUAL.length() - 1) + "\n";
    assertThat(read(padding + USUAL).topics()).isEqualTo(1);
    assertThatThrownBy(() -> read("#" + padding + USUAL)).hasMessageContaining("more than 64 KiB");
    assertThatThrownBy(() -> WorkloadFile.read(folder)).hasMessageContaining("no such file");
  }
}
