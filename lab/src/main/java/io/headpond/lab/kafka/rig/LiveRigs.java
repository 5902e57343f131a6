// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.lab.place.BenchFolders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The brokers of a benchmark, one of each variant, alive side by side in folders of their own.
 * {@link #start} belongs to one thread; {@link #close} may be called by another to end everything:
 * it kills the brokers and removes the folders.
 */
public final class LiveRigs implements Closeable {

  private final EngineRelease kafka = Engine.KAFKA.current();
  private final KafkaTier tier;
  private final Consumer<String> progress;
  private final BenchFolders folders;
  private final List<KafkaRig> rigs = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Makes its folders; nothing runs yet.
   *
   * @param fast folder on the fast device
   * @param home folder on disk
   * @param tier of Headpond's; a tight one
   * @param progress told what goes on
   */
  public LiveRigs(Path fast, Path home, KafkaTier tier, Consumer<String> progress)
      throws IOException {
    this.tier = tier;
    this.progress = progress;
    this.folders = BenchFolders.create(fast, home);
  }

  /** Full version of the Kafka that they run. */
  public String kafkaVersion() {
    return kafka.version();
  }

  /**
   * Starts a broker of each variant; one that doesn't come up is an error.
   *
   * @param java runs them
   * @param settings of every broker, beside its variant's
   * @param pointBytesMax what one load may send
   * @param ring the records that are sent at first
   */
  public List<KafkaRig> start(
      JavaHome java,
      List<Variant> variants,
      Map<String, String> settings,
      long pointBytesMax,
      RecordRing ring)
      throws IOException, InterruptedException {
    folders.touchMemory(tier.capacityBytes(), progress);
    for (Variant variant : variants) {
      VariantBroker broker = new VariantBroker(kafka, java, folders, variant, tier.capacityBytes());
      settings.forEach(broker.node()::set);
      KafkaRig rig =
          new KafkaRig(broker, Producers.LEADER, pointBytesMax, tier, size -> ring, progress);
      rigs.add(rig);
      if (closed) {
        throw new InterruptedException("the benchmark was closed");
      }
      rig.start();
    }
    return List.copyOf(rigs);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    rigs.forEach(KafkaRig::close);
    folders.remove();
  }
}
