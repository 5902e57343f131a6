// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.pmem.Durability;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.LatencyHistogram;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.TopicCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What metrics add to an append, beside the append: a write through the store to a tier in memory
 * (over again in a window, so that no growth is measured), and the counting by itself. In the
 * store's package, because what it measures is nobody else's business.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class AppendMetrics {
  private static final int WINDOW_BYTES = 8 << 20;

  /** Of one append. */
  @Param({"1024", "16384", "65536"})
  public int bytes;

  /** {@code headpond.metrics.topics}: 0 counts nothing by topic. */
  @Param({"0", "50"})
  public int topics;

  private static final Map<String, String> MAPPED =
      Map.of(Internals.PREFIX + "maps.memory", "true");

  private final LatencyHistogram histogram = new LatencyHistogram();
  private final Counters counters = new Counters(TimeSource.SYSTEM);
  private int appends;
  private Path tier;
  private Path home;
  private TieredStore store;
  private FileChannel channel;
  private TopicCounters.Topic topic;
  private TierDirectory directory;
  private ByteBuffer source;
  private long at;

  /** Makes a store in folders of its own. */
  @Setup
  public void open() throws IOException, ConfigException {
    tier = Files.createTempDirectory(Path.of("/dev/shm"), "headpond-bench");
    home = Files.createTempDirectory("headpond-bench").toRealPath();
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.tier.fast.paths", tier.toString());
    properties.setProperty("headpond.tier.fast.capacity", "64MiB");
    properties.setProperty("headpond.log.dirs", home.toString());
    properties.setProperty("headpond.metrics.topics", String.valueOf(topics));
    store =
        new TieredStore(
            StoreConfig.parse(
                properties, "bench", FileSystems.getDefault(), Internals.of(MAPPED::get)));
    store.claim();
    final Path partition = Files.createDirectory(home.resolve("bench-0"));
    channel =
        store.open(
            partition.resolve("00000000000000000000.log"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    topic = store.topics().opened("bench-0");
    directory = store.tiers().get(0).get(0);
    source = ByteBuffer.allocateDirect(bytes);
    while (at < WINDOW_BYTES) {
      append();
    }
  }

  /** The write that Kafka makes. */
  @Benchmark
  public long append() throws IOException {
    source.clear();
    final long offset = at % WINDOW_BYTES;
    at += channel.write(source, offset);
    return at;
  }

  /** What is counted for metrics alone: one adder for each append, the histogram for one of 16. */
  @Benchmark
  public int count() {
    counters.increment(Count.APPENDS);
    if ((++appends & StoreFacts.Appends.SAMPLE - 1) == 0) {
      histogram.record(appends & 0xffff);
    }
    return appends;
  }

  /** What {@code headpond.metrics.topics} adds. */
  @Benchmark
  public void countTopic() {
    if (topic != null) {
      topic.appended(bytes, directory);
    }
  }

  /** All that is counted, also what decides on migration and durability. */
  @Benchmark
  public void countAll() {
    counters.appended(bytes, true, Durability.VOLATILE);
    count();
  }

  /** Removes the folders. */
  @TearDown
  public void close() throws IOException {
    channel.close();
    store.close();
    for (final Path folder : List.of(tier, home)) {
      FolderRemoval.remove(folder, true);
    }
  }
}
