// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FreeSpace;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantPlaces;
import io.headpond.lab.place.BenchFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Clusters of brokers, alike but for where their logs lie. */
final class BrokerClusters implements FailureClusters {

  /** The number of copies of a log that deleted segments may take yet. */
  private static final int COPIES = 2;

  /** Room of each broker beside its messages: placement holds it back for segments that grow. */
  private static final long SPARE_BYTES = 64 << 20;

  private final FailureSettings settings;
  private final EngineRelease kafka;
  private final List<Variant> variants;
  private final VariantPlaces places;
  private final BenchFolders folders;
  private final List<BrokerCluster> clusters = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** Makes its folders; nothing runs yet. */
  BrokerClusters(FailureSettings settings, EngineRelease kafka) throws IOException {
    this.settings = settings;
    this.kafka = kafka;
    this.variants = settings.variants().stream().map(Variant.class::cast).toList();
    this.places = new VariantPlaces(settings.fast(), settings.home(), variants, false);
    for (Path folder : List.of(settings.fast(), settings.home())) {
      FreeSpace.require(
          folder,
          COPIES * FailureSettings.NODES * tierBytes(),
          "three brokers",
          "choose a lower rate");
    }
    this.folders = BenchFolders.create(settings.fast(), settings.home());
  }

  /** The tier of each broker: all its replicas' messages fit, so that nothing overflows. */
  private long tierBytes() {
    return SPARE_BYTES
        + COPIES * settings.turnBytes() / FailureSettings.NODES
        + BrokerCluster.PARTITIONS * BrokerCluster.SEGMENT_BYTES;
  }

  @Override
  public List<FailureCluster> start(Consumer<String> progress)
      throws IOException, InterruptedException {
    RecordRing ring = new RecordRing(settings.messageBytes());
    for (Variant variant : variants) {
      BrokerCluster cluster =
          new BrokerCluster(kafka, settings, folders, variant, ring, tierBytes());
      clusters.add(cluster);
      if (closed) {
        throw new InterruptedException("the benchmark was closed");
      }
      progress.accept(variant + ": starting three brokers");
      cluster.start();
    }
    return List.copyOf(clusters);
  }

  @Override
  public Map<String, String> places() {
    return places.of(variants);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    clusters.forEach(BrokerCluster::close);
    folders.remove();
  }
}
