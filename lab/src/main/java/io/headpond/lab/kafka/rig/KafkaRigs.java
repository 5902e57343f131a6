// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.process.Engine;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.lab.kafka.variant.VariantPlaces;
import io.headpond.lab.place.BenchFolders;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.Rigs;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Brokers of several variants, alike but for where their logs lie. */
public final class KafkaRigs implements Rigs {

  private final RigSettings settings;
  private final List<Variant> variants;
  private final Producers producers;
  private final KafkaTier tier;
  private final LoadHosts hosts;
  private final Consumer<String> progress;
  private final VariantPlaces places;
  private final BenchFolders folders;
  private final List<KafkaRig> rigs = new CopyOnWriteArrayList<>();
  private final Map<Integer, RecordRing> rings = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Makes its folders; nothing runs yet.
   *
   * @param variants Headpond's, then its baselines
   * @param producers of what is sent
   * @param tier of Headpond's; what is sent to a tight one is the sender's to limit
   * @param hosts that send, not yet connected, and closed with it; null: this process does
   * @param progress told what goes on
   */
  public KafkaRigs(
      RigSettings settings,
      List<Variant> variants,
      Producers producers,
      KafkaTier tier,
      LoadHosts hosts,
      Consumer<String> progress)
      throws IOException {
    this.settings = settings;
    this.variants = List.copyOf(variants);
    this.producers = producers;
    this.tier = tier;
    this.hosts = hosts;
    this.progress = progress;
    this.places =
        new VariantPlaces(settings.fast(), settings.home(), variants, tier.durableAppends());
    this.folders = BenchFolders.create(settings.fast(), settings.home());
  }

  @Override
  public List<Rig> start() throws IOException, InterruptedException {
    if (hosts != null) {
      progress.accept("reaching the hosts");
      hosts.connect(folders.home("hosts"));
    }
    folders.touchMemory(
        tier.isTight() ? tier.capacityBytes() : settings.pointBytesMax(), progress::accept);
    for (Variant variant : variants) {
      KafkaRig rig =
          new KafkaRig(
              new VariantBroker(settings.release(), settings.java(), folders, variant, tierBytes()),
              producers,
              tier.isTight() ? Long.MAX_VALUE : settings.pointBytesMax(),
              tier,
              bytes -> rings.computeIfAbsent(bytes, RecordRing::new),
              progress);
      if (hosts != null) {
        rig.loadFrom(hosts);
      }
      rigs.add(rig);
      if (closed) {
        throw new InterruptedException("the benchmark was closed");
      }
      rig.start();
    }
    return List.copyOf(rigs);
  }

  private long tierBytes() {
    return tier.isTight()
        ? tier.capacityBytes()
        : 2 * settings.pointBytesMax() + tier.growingBytes();
  }

  @Override
  public String engine() {
    return Engine.KAFKA.title();
  }

  @Override
  public String version() {
    return settings.release().version();
  }

  @Override
  public Map<String, String> places() {
    return places.of(variants);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    rigs.forEach(KafkaRig::close);
    if (hosts != null) {
      hosts.close();
    }
    folders.remove();
  }
}
