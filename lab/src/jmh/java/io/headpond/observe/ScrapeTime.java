// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeList;
import javax.management.MBeanAttributeInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * How long who asks for metrics keeps a processor busy: a store of 1,000 partitions with four
 * segments each, all open, as a broker has them. In the package of what it measures.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ScrapeTime {
  private static final int PARTITIONS = 1_000;
  private static final int SEGMENTS = 4;

  /** {@code headpond.metrics.topics}; each partition is of a topic of its own. */
  @Param({"0", "100", "1000"})
  public int topics;

  private final List<FileChannel> channels = new ArrayList<>();
  private Path tier;
  private Path home;
  private TieredStore store;
  private History history;
  private StatusDocument document;
  private List<MetricBean<StoreFacts>> beans;

  /** Makes a store in folders of its own. */
  @Setup(Level.Trial)
  public void open() throws IOException, ConfigException {
    tier = Files.createTempDirectory(Path.of("/dev/shm"), "headpond-bench");
    home = Files.createTempDirectory("headpond-bench").toRealPath();
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.tier.fast.paths", tier.toString());
    properties.setProperty("headpond.tier.fast.capacity", "256MiB");
    properties.setProperty("headpond.log.dirs", home.toString());
    properties.setProperty("headpond.metrics.topics", String.valueOf(topics));
    store = new TieredStore(StoreConfig.parse(properties, "bench", FileSystems.getDefault()));
    store.claim();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      final Path directory = Files.createDirectory(home.resolve("topic" + partition + "-0"));
      for (int segment = 0; segment < SEGMENTS; segment++) {
        final FileChannel channel =
            store.open(
                directory.resolve(String.format("%020d.log", segment * 100L)),
                Set.of(
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        channel.write(ByteBuffer.allocate(1_024));
        channels.add(channel);
      }
    }
    history = new History(store::facts);
    history.look();
    history.look();
    document = new StatusDocument(history, store.config());
    beans = new ArrayList<>();
    beans.add(new MetricBean<>(Metrics.ALL, Metric.Bean.TIER, "fast", history));
    for (final StoreFacts.Topic topic : history.now().topics()) {
      beans.add(new MetricBean<>(Metrics.ALL, Metric.Bean.TOPIC, topic.name(), history));
    }
  }

  /** {@code /metrics}: the facts as of now, as text. */
  @Benchmark
  public int scrape() {
    return Scrape.text(Metrics.ALL, store.facts(), false).length();
  }

  /** {@code /api/status}, of facts that are there already. */
  @Benchmark
  public int page() {
    return document.json(0).length();
  }

  /** Every attribute of a tier's bean and of every topic's, as an exporter reads them. */
  @Benchmark
  public int beans() {
    int values = 0;
    for (final MetricBean<StoreFacts> bean : beans) {
      final MBeanAttributeInfo[] attributes = bean.getMBeanInfo().getAttributes();
      final String[] names = new String[attributes.length];
      for (int i = 0; i < names.length; i++) {
        names[i] = attributes[i].getName();
      }
      final AttributeList read = bean.getAttributes(names);
      values += read.size();
    }
    return values;
  }

  /** Removes the folders. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    for (final FileChannel channel : channels) {
      channel.close();
    }
    store.close();
    for (final Path folder : List.of(tier, home)) {
      FolderRemoval.remove(folder, true);
    }
  }
}
