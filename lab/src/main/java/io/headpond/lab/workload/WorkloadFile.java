// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import io.headpond.lab.workload.MessagingWorkload.PayloadSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads a workload file of the <a href="https://openmessaging.cloud/docs/benchmarks/">OpenMessaging
 * Benchmark</a>: YAML with the fields of its class {@code Workload}. What it wouldn't read, or what
 * no engine here could run, is refused with an {@link IOException} that names file, key and remedy.
 */
public final class WorkloadFile {

  static final int FILE_BYTES_MAX = 64 << 10;
  static final int TOPICS_MAX = 10_000;

  /** Of all topics together: what one broker is known to carry. */
  static final int PARTITIONS_MAX = 10_000;

  /** Kafka takes no batch above 1 MiB by default. */
  static final int MESSAGE_BYTES_MAX = 1_000_000;

  static final int MESSAGE_BYTES_MIN = 64;

  /** One load generator has a thread for each. */
  static final int CLIENTS_MAX = 256;

  /** Every message is read once, whoever reads it. */
  static final int SUBSCRIPTIONS_MAX = 1;

  static final int PAYLOADS_MAX = 100_000;

  /** The limit of a pool of values in the load generator's memory. */
  static final long POOL_BYTES_MAX = 64L << 20;

  static final int MINUTES_MAX = 7 * 24 * 60;
  static final int BACKLOG_GIB_MAX = 100_000;

  private static final int NESTING_MAX = 4;
  private static final int POOL_STANDARD = 1_000;

  private final Path file;
  private final WorkloadKeys keys;

  private WorkloadFile(Path file, WorkloadKeys keys) {
    this.file = file;
    this.keys = keys;
  }

  /** The workload in {@code file}. */
  public static MessagingWorkload read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": no such file; name a workload file");
    }
    if (Files.size(file) > FILE_BYTES_MAX) {
      throw new IOException(
          file + ": has more than " + (FILE_BYTES_MAX >> 10) + " KiB; name a workload file");
    }
    return new WorkloadFile(file, new WorkloadKeys(file, parse(file))).workload();
  }

  private static Map<?, ?> parse(Path file) throws IOException {
    LoaderOptions limits = new LoaderOptions();
    limits.setCodePointLimit(FILE_BYTES_MAX);
    limits.setNestingDepthLimit(NESTING_MAX);
    limits.setMaxAliasesForCollections(0);
    limits.setAllowDuplicateKeys(false);
    try {
      byte[] bytes = Files.readAllBytes(file);
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      Object root = new Yaml(new SafeConstructor(limits)).load(text);
      if (root instanceof Map<?, ?> map) {
        return map;
      }
      throw new IOException(
          file + ": holds no keys with values; write lines such as 'topics: 1', one for each key");
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": isn't UTF-8; write it again in UTF-8", e);
    } catch (YAMLException | IllegalArgumentException e) {
      // The library lets bad dates and numbers through as IllegalArgumentException.
      throw new IOException(
          file + ": isn't YAML that can be read (" + e.getMessage() + "); correct it there", e);
    }
  }

  private MessagingWorkload workload() throws IOException {
    int messageBytes = keys.whole("messageSize", MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX);
    MessagingWorkload workload =
        new MessagingWorkload(
            keys.text("name").orElse(file.getFileName().toString()),
            keys.whole("topics", 1, TOPICS_MAX),
            keys.whole("partitionsPerTopic", 1, PARTITIONS_MAX),
            keyDistribution(),
            messageBytes,
            payload(messageBytes),
            keys.whole("subscriptionsPerTopic", 0, SUBSCRIPTIONS_MAX),
            keys.whole("consumerPerSubscription", 0, CLIENTS_MAX),
            keys.whole("producersPerTopic", 1, CLIENTS_MAX),
            keys.whole("producerRate", 0, Integer.MAX_VALUE),
            (long) keys.whole("consumerBacklogSizeGB", 0, BACKLOG_GIB_MAX, 0) << 30,
            keys.share("backlogDrainRatio", 1),
            keys.whole("testDurationMinutes", 1, MINUTES_MAX),
            keys.whole("warmupDurationMinutes", 0, MINUTES_MAX, 1));
    keys.refuseUnknown();
    check(workload);
    return workload;
  }

  private KeyDistribution keyDistribution() throws IOException {
    Optional<String> named = keys.text("keyDistributor");
    for (KeyDistribution distribution : KeyDistribution.values()) {
      if (distribution.name().equals(named.orElse(KeyDistribution.NO_KEY.name()))) {
        return distribution;
      }
    }
    throw keys.refusal(
        "keyDistributor",
        "'" + named.orElseThrow() + "' isn't known",
        "choose one of " + List.of(KeyDistribution.values()));
  }

  private PayloadSource payload(int messageBytes) throws IOException {
    boolean randomized = keys.yes("useRandomizedPayloads", false);
    double randomShare = keys.share("randomBytesRatio", 0);
    int pool = keys.whole("randomizedPayloadPoolSize", 0, PAYLOADS_MAX, 0);
    Optional<String> named = keys.text("payloadFile");
    if (randomized) {
      if (pool == 0) {
        throw keys.refusal(
            "randomizedPayloadPoolSize", "is 0, and payloads are randomized", "write 1 or more");
      }
      if ((long) pool * messageBytes > POOL_BYTES_MAX) {
        throw keys.refusal(
            "randomizedPayloadPoolSize",
            pool + " messages of " + messageBytes + " bytes take more than 64 MiB of memory",
            "write " + Math.max(1, POOL_BYTES_MAX / messageBytes) + " or less");
      }
      return new PayloadSource(Optional.empty(), randomShare, pool);
    }
    if (named.isPresent()) {
      return new PayloadSource(Optional.of(fixed(named.get(), messageBytes)), 0, 1);
    }
    int standard = (int) Math.max(1, Math.min(POOL_STANDARD, POOL_BYTES_MAX / messageBytes));
    return new PayloadSource(Optional.empty(), 0, standard);
  }

  /**
   * The benchmark looks from its own folder, above that of the workloads; here the file's folder
   * and the one above it count.
   */
  private byte[] fixed(String named, int messageBytes) throws IOException {
    Path folder = file.toAbsolutePath().normalize().getParent();
    for (Path base = folder, last = folder.getParent(); base != null; base = last, last = null) {
      Path found = resolve(base, named);
      if (Files.isRegularFile(found)) {
        if (Files.size(found) != messageBytes) {
          throw keys.refusal(
              "payloadFile",
              found + " has " + Files.size(found) + " bytes, and messageSize is " + messageBytes,
              "let them be equal");
        }
        return Files.readAllBytes(found);
      }
    }
    throw keys.refusal(
        "payloadFile",
        "there is no '" + named + "' in " + folder + " or above it",
        "put it there, or take the line out: messages then hold generated text");
  }

  private Path resolve(Path base, String named) throws IOException {
    try {
      return base.resolve(named);
    } catch (InvalidPathException e) {
      throw keys.refusal("payloadFile", "'" + named + "' is no path", "name a file");
    }
  }

  private void check(MessagingWorkload workload) throws IOException {
    if ((long) workload.topics() * workload.partitionsPerTopic() > PARTITIONS_MAX) {
      throw keys.refusal(
          "partitionsPerTopic",
          workload.topics()
              + " topics of "
              + workload.partitionsPerTopic()
              + " partitions are more than "
              + PARTITIONS_MAX
              + " partitions",
          "write fewer");
    }
    clients("producersPerTopic", workload.topics(), workload.producersPerTopic());
    clients(
        "consumerPerSubscription",
        workload.topics(),
        (long) workload.subscriptionsPerTopic() * workload.consumersPerSubscription());
    if (workload.backlogBytes() > 0 && workload.messagesPerSecond() == 0) {
      throw keys.refusal(
          "producerRate",
          "is 0, which searches for the highest rate, and a backlog needs a known one",
          "write a rate, or consumerBacklogSizeGB: 0");
    }
    if (workload.backlogBytes() > 0
        && workload.subscriptionsPerTopic() * workload.consumersPerSubscription() == 0) {
      throw keys.refusal(
          "consumerBacklogSizeGB", "is set, and nobody consumes", "write 0, or add consumers");
    }
  }

  private void clients(String key, int topics, long perTopic) throws IOException {
    if (topics * perTopic > CLIENTS_MAX) {
      throw keys.refusal(
          key,
          topics + " topics with " + perTopic + " each are more than " + CLIENTS_MAX,
          "write fewer");
    }
  }
}
