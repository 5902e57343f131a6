// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FreeSpace;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantBroker;
import io.headpond.lab.place.BenchFolders;
import io.headpond.lab.scenario.PointRun;
import io.headpond.lab.scenario.Turns;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A broker of each variant, alive side by side, each of which does every chore in each round.
 * {@link #run} belongs to one thread; {@link #close} may be called by another to end it: it kills
 * the brokers and removes the directories.
 */
public final class UpkeepBench implements Closeable {

  private final UpkeepSettings settings;
  private final BenchListener<UpkeepTurn> listener;
  private final EngineRelease kafka;
  private final BenchFolders folders;
  private final List<KafkaRig> rigs = new CopyOnWriteArrayList<>();
  private volatile boolean closed;
  private int topics;

  /** Makes its directories, in folders of their own; nothing runs yet. */
  public UpkeepBench(UpkeepSettings settings, BenchListener<UpkeepTurn> listener)
      throws IOException {
    this.settings = settings;
    this.listener = listener;
    this.kafka = Engine.KAFKA.current();
    String otherwise = "take a smaller topic";
    FreeSpace.require(settings.fast(), settings.tierBytes(), "the tier's segments", otherwise);
    FreeSpace.require(settings.home(), settings.bytes(), "the topic", otherwise);
    this.folders = BenchFolders.create(settings.fast(), settings.home());
  }

  /** Full version of the Kafka that is measured. */
  public String kafkaVersion() {
    return kafka.version();
  }

  /** Runs everything; the listener gets the figures. */
  public void run() throws IOException, InterruptedException {
    folders.touchMemory(settings.tierBytes(), listener::progress);
    RecordRing published = new RecordRing(settings.messageBytes());
    RecordRing filled = new RecordRing(UpkeepSettings.TOPIC_MESSAGE_BYTES);
    for (Variant variant : settings.variants()) {
      start(variant, published);
    }
    for (KafkaRig rig : rigs) {
      PointRun.measure(
          rig,
          settings.publishing().lasting(0, settings.warmUpSeconds()),
          rig.variant() + ": warming up",
          listener::progress);
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      int number = round;
      for (Chore chore : settings.chores()) {
        Turns.round(
            rigs,
            round,
            rig ->
                listener.finished(
                    new UpkeepRun(settings, chore, rig, filled, ++topics).turn(number)));
      }
    }
  }

  private void start(Variant variant, RecordRing ring) throws IOException, InterruptedException {
    VariantBroker broker =
        new VariantBroker(kafka, settings.java(), folders, variant, settings.tierBytes());
    UpkeepRun.BROKER.forEach(broker.node()::set);
    KafkaRig rig =
        new KafkaRig(
            broker,
            Producers.LEADER,
            Long.MAX_VALUE,
            settings.tier(),
            size -> ring,
            listener::progress);
    rigs.add(rig);
    if (closed) {
      throw new InterruptedException("the benchmark was closed");
    }
    rig.start();
  }

  /** Kills the brokers that live, and removes all directories. */
  @Override
  public void close() throws IOException {
    closed = true;
    rigs.forEach(KafkaRig::close);
    folders.remove();
  }
}
