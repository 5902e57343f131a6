// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import io.headpond.harness.process.FreeSpace;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.kafka.rig.LiveRigs;
import io.headpond.lab.scenario.PointRun;
import io.headpond.lab.scenario.Turns;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A broker of each variant, alive side by side, each of which does every chore in each round.
 * {@link #run} belongs to one thread; {@link #close} may be called by another to end it: it kills
 * the brokers and removes the directories.
 */
public final class UpkeepBench implements Closeable {

  private final UpkeepSettings settings;
  private final BenchListener<UpkeepTurn> listener;
  private final LiveRigs live;
  private int topics;

  /** Makes its directories, in folders of their own; nothing runs yet. */
  public UpkeepBench(UpkeepSettings settings, BenchListener<UpkeepTurn> listener)
      throws IOException {
    this.settings = settings;
    this.listener = listener;
    String otherwise = "take a smaller topic";
    FreeSpace.require(settings.fast(), settings.tierBytes(), "the tier's segments", otherwise);
    FreeSpace.require(settings.home(), settings.bytes(), "the topic", otherwise);
    this.live = new LiveRigs(settings.fast(), settings.home(), settings.tier(), listener::progress);
  }

  /** Full version of the Kafka that is measured. */
  public String kafkaVersion() {
    return live.kafkaVersion();
  }

  /** Runs everything; the listener gets the figures. */
  public void run() throws IOException, InterruptedException {
    RecordRing published = new RecordRing(settings.messageBytes());
    RecordRing filled = new RecordRing(UpkeepSettings.TOPIC_MESSAGE_BYTES);
    List<KafkaRig> rigs =
        live.start(
            settings.java(), settings.variants(), UpkeepRun.BROKER, Long.MAX_VALUE, published);
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

  /** Kills the brokers that live, and removes all directories. */
  @Override
  public void close() throws IOException {
    live.close();
  }
}
