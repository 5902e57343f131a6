// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.failure;

import io.headpond.bench.comparison.BenchListener;
import io.headpond.bench.kafka.speed.BenchFolders;
import io.headpond.bench.kafka.speed.RecordRing;
import io.headpond.bench.kafka.speed.Variant;
import io.headpond.bench.process.Engine;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.FreeSpace;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A cluster of three brokers of each variant, alive side by side; in each round every one of them
 * loses a broker and gets it back. {@link #run} belongs to one thread; {@link #close} may be called
 * by another to end it: it kills the brokers and removes the directories.
 */
public final class FailureBench implements Closeable {

  /** What segments that were deleted may take yet. */
  private static final int COPIES = 2;

  /** Of each broker beside its messages: what placement holds back for segments that grow. */
  private static final long SPARE_BYTES = 64 << 20;

  private final FailureSettings settings;
  private final BenchListener<FailureTurn> listener;
  private final EngineRelease kafka;
  private final BenchFolders folders;
  private final List<Cluster> clusters = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Makes its directories, in folders of their own; nothing runs yet. */
  public FailureBench(FailureSettings settings, BenchListener<FailureTurn> listener)
      throws IOException {
    this.settings = settings;
    this.listener = listener;
    this.kafka = Engine.KAFKA.current();
    for (Path folder : List.of(settings.fast(), settings.home())) {
      FreeSpace.require(
          folder,
          COPIES * FailureSettings.BROKERS * tierBytes(settings),
          "three brokers",
          "choose a lower rate");
    }
    this.folders = BenchFolders.create(settings.fast(), settings.home());
  }

  /** Of each broker: all its replicas' messages, so that nothing overflows. */
  static long tierBytes(FailureSettings settings) {
    return SPARE_BYTES
        + COPIES * settings.turnBytes() / FailureSettings.BROKERS
        + FailureSettings.PARTITIONS * SEGMENT_BYTES;
  }

  /** Of the topic: a new segment is expected to become as large. */
  static final long SEGMENT_BYTES = 16 << 20;

  /** Full version of the Kafka that is measured. */
  public String kafkaVersion() {
    return kafka.version();
  }

  /** Runs everything; the listener gets the figures. */
  public void run() throws IOException, InterruptedException {
    RecordRing ring = new RecordRing(settings.messageBytes());
    for (Variant variant : settings.variants()) {
      Cluster cluster = new Cluster(kafka, settings, folders, variant);
      clusters.add(cluster);
      if (closed) {
        throw new InterruptedException("the benchmark was closed");
      }
      listener.progress(variant + ": starting three brokers");
      cluster.start();
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int i = 0; i < clusters.size(); i++) {
        // The one that begins changes, so that none always comes after the same one.
        Cluster cluster = clusters.get((i + round - 1) % clusters.size());
        listener.finished(new FailureRun(settings, cluster, listener::progress).turn(round, ring));
      }
    }
  }

  /** Kills the brokers that live, and removes all directories. */
  @Override
  public void close() throws IOException {
    closed = true;
    clusters.forEach(Cluster::close);
    folders.remove();
  }
}
