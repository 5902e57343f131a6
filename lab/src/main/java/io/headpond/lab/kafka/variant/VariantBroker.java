// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.variant;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.place.BenchFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The broker of one variant: where its log lies, and topics that take no space any more when they
 * are deleted. Not safe for use by several threads.
 */
public final class VariantBroker {

  private static final String DELETE_DELAY_MS = "100";
  private static final long DELETED_LIMIT_NANOS = 60_000_000_000L;

  /**
   * The heap of Kafka's own start script, which has this size from the start. One that began small
   * would be marked again and again: the log cleaner's buffer alone takes 128 MiB.
   */
  private static final int HEAP_MIB = 1024;

  private static final List<String> JVM_ARGUMENTS =
      List.of(
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:+ExplicitGCInvokesConcurrent",
          "-XX:+PerfDisableSharedMem");

  private final Variant variant;
  private final KafkaNode node;
  private final Path tier;

  /**
   * Nothing runs yet.
   *
   * @param tierBytes capacity of Headpond's tier, for the variants that have one
   */
  public VariantBroker(
      EngineRelease kafka, JavaHome java, BenchFolders folders, Variant variant, long tierBytes)
      throws IOException {
    this(kafka, java, folders, variant, 1, tierBytes);
  }

  /**
   * The same for one of several of a cluster, which the caller makes of their nodes.
   *
   * @param id its {@code node.id}
   */
  public VariantBroker(
      EngineRelease kafka,
      JavaHome java,
      BenchFolders folders,
      Variant variant,
      int id,
      long tierBytes)
      throws IOException {
    this.variant = variant;
    this.tier = folders.fast(variant + "-tier-" + id);
    String logs = variant + "-logs-" + id;
    Path logDir = variant.logDirOnFast() ? folders.fast(logs) : folders.home(logs);
    Path own = folders.home(variant + "-broker-" + id);
    this.node = new KafkaNode(kafka, id, own, List.of(logDir));
    node.java(java)
        .heapMiB(HEAP_MIB)
        .wholeHeap()
        // Each turn's topic is deleted after it, for the next one's space.
        .set("log.segment.delete.delay.ms", DELETE_DELAY_MS);
    JVM_ARGUMENTS.forEach(node::jvmArgument);
    if (variant.headpond()) {
      node.with(PlugIn.find(PlugIn.Start.AGENT))
          .set("headpond.tiers", "fast")
          .set("headpond.tier.fast.paths", tier.toString())
          .set("headpond.tier.fast.capacity", tierBytes + "B")
          // Only the append path is measured.
          .set("headpond.tier.fast.migrate.threshold", "-1");
      if (java.feature() >= 22) {
        node.jvmArgument("--enable-native-access=ALL-UNNAMED");
      }
    }
  }

  /** The variant. */
  public Variant variant() {
    return variant;
  }

  /** True if it has the plug-in. */
  public boolean headpond() {
    return variant.headpond();
  }

  /** True if its log directory is on the fast device. */
  public boolean logDirOnFast() {
    return variant.logDirOnFast();
  }

  /** The broker, to be configured further before it starts, and to be closed by the caller. */
  public KafkaNode node() {
    return node;
  }

  /** The directory of Headpond's tier; an empty folder if the variant has none. */
  public Path tier() {
    return tier;
  }

  /** Formats and starts it. */
  public void start() throws IOException, InterruptedException {
    node.format().start();
  }

  /** Creates a topic of one replica with the variant's settings, and these. */
  public void createTopic(String topic, int partitions, Map<String, String> topicSettings)
      throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(variant.topicSettings());
    all.putAll(topicSettings);
    Topics.create(node, topic, partitions, 1, all);
  }

  /** Deletes the topic and waits until the space is free, so that the next turn has as much. */
  public void deleteTopic(String topic, Watch watch, String text)
      throws IOException, InterruptedException {
    Topics.delete(node, topic);
    long deadline = System.nanoTime() + DELETED_LIMIT_NANOS;
    for (List<Path> left = left(topic); !left.isEmpty(); left = left(topic)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            String.format(
                "topic %s still takes space a minute after its deletion: %s%n%s",
                topic, left, node.tail()));
      }
      watch.tick(text + ": waiting until its files are gone");
    }
  }

  /** Its folders in the log directory, and its files in the tier. */
  private List<Path> left(String topic) throws IOException {
    List<Path> left = new ArrayList<>();
    try (Stream<Path> folders = Files.list(node.logDirs().get(0));
        Stream<Path> files = Files.walk(tier)) {
      Stream.concat(folders, files)
          .filter(path -> path.getFileName().toString().startsWith(topic))
          .forEach(left::add);
    } catch (UncheckedIOException e) {
      left.add(tier); // something was deleted while it was looked at
    }
    return left;
  }
}
