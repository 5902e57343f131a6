// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.harness.process.FreeSpace;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.kafka.rig.LiveRigs;
import io.headpond.lab.scenario.PointRun;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A broker of each variant, alive side by side; in each round every one of them gets all bursts,
 * after its tier was filled to the threshold. {@link #run} belongs to one thread; {@link #close}
 * may be called by another to end it: it kills the brokers and removes the directories.
 */
public final class BurstBench implements Closeable {

  /** Twice what is written, for what was deleted and isn't freed yet. */
  private static final int COPIES = 2;

  private final BurstSettings settings;
  private final BenchListener<BurstTurn> listener;
  private final LiveRigs live;

  /** Makes its directories, in folders of their own; nothing runs yet. */
  public BurstBench(BurstSettings settings, BenchListener<BurstTurn> listener) throws IOException {
    this.settings = settings;
    this.listener = listener;
    String otherwise = "take a smaller tier or fewer bursts";
    FreeSpace.require(settings.fast(), settings.tierBytes(), "the bursts", otherwise);
    FreeSpace.require(settings.home(), COPIES * settings.bytes(), "the bursts", otherwise);
    this.live = new LiveRigs(settings.fast(), settings.home(), settings.tier(), listener::progress);
  }

  /** Full version of the Kafka that is measured. */
  public String kafkaVersion() {
    return live.kafkaVersion();
  }

  /** Runs everything; the listener gets the figures. */
  public void run() throws IOException, InterruptedException {
    RecordRing ring = new RecordRing(settings.messageBytes());
    List<KafkaRig> rigs =
        live.start(settings.java(), settings.variants(), Map.of(), COPIES * settings.bytes(), ring);
    for (KafkaRig rig : rigs) {
      PointRun.measure(rig, settings.warmUp(), rig.variant() + ": warming up", listener::progress);
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int i = 0; i < rigs.size(); i++) {
        // The one that begins changes, so that none always comes after the same one.
        KafkaRig rig = rigs.get((i + round - 1) % rigs.size());
        listener.finished(new BurstRun(settings, rig, listener::progress).turn(round));
      }
    }
  }

  /** True if the newest segment of a topic's partition had to be made at home. */
  static boolean overflowing(Path logDir) throws IOException {
    for (Path partition : LogDirScan.partitions(logDir)) {
      if (partition.getFileName().toString().startsWith(KafkaRig.TOPIC_PREFIX)) {
        Optional<Path> newest =
            NameLook.list(partition).stream()
                .filter(file -> SegmentName.isPlain(file.getFileName().toString()))
                .max(Comparator.naturalOrder());
        if (newest.isPresent() && !NameLook.isLink(newest.get())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Kills the brokers that live, and removes all directories. */
  @Override
  public void close() throws IOException {
    live.close();
  }
}
