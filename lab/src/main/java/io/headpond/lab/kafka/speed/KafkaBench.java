// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.lab.kafka.load.Load;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantPlaces;
import io.headpond.lab.place.BenchFolders;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The whole benchmark. For each load the brokers of all variants are started in empty directories
 * and warmed up; then they take turns, one working while the others are idle: in each round,
 * measure by measure, every variant once. So what is compared was measured within seconds of one
 * another, by equally old JVMs, on a machine whose speed may change from one minute to the next.
 * Every other round goes backwards, so that none always comes after the same one.
 *
 * <p>{@link #run} belongs to one thread; {@link #close} may be called by another to end it: it
 * kills the broker and removes the directories.
 */
public final class KafkaBench implements Closeable {

  private final KafkaBenchSettings settings;
  private final BenchListener<RunFigures> listener;
  private final EngineRelease kafka;
  private final VariantPlaces places;
  private final BenchFolders folders;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Contender> contenders = new CopyOnWriteArrayList<>();

  /** Makes its directories, in folders of their own; nothing runs yet. */
  public KafkaBench(KafkaBenchSettings settings, BenchListener<RunFigures> listener)
      throws IOException {
    this.settings = settings;
    this.listener = listener;
    this.kafka = Engine.KAFKA.current();
    this.places = new VariantPlaces(settings.fast(), settings.home(), settings.variants());
    for (Load load : settings.loads()) {
      SpaceBudget.of(settings, load);
    }
    this.folders = BenchFolders.create(settings.fast(), settings.home());
  }

  /** Full version of the Kafka that is measured. */
  public String kafkaVersion() {
    return kafka.version();
  }

  /** Where the variant's log is written and what that device keeps, in words. */
  public String describe(Variant variant) {
    return places.describe(variant);
  }

  /** Whether a power cut takes what Headpond's tier holds. */
  public boolean fastIsVolatile() {
    return places.fastIsVolatile();
  }

  /** Runs everything; the figures in the order of the rounds. */
  public List<RunFigures> run() throws IOException, InterruptedException {
    long produceBytes = 0;
    for (Load load : settings.loads()) {
      produceBytes = Math.max(produceBytes, SpaceBudget.of(settings, load).produceBytes());
    }
    folders.touchMemory(produceBytes, listener::progress);
    List<RunFigures> all = new ArrayList<>();
    for (Load load : settings.loads()) {
      RecordRing ring = new RecordRing(load.recordBytes());
      for (int start = 0; start < settings.starts(); start++) {
        startContenders(load, ring);
        try {
          for (int round = 1; round <= settings.rounds(); round++) {
            all.addAll(round(load, start * settings.rounds() + round));
          }
        } finally {
          killBrokers();
          folders.empty();
        }
      }
    }
    return all;
  }

  private void startContenders(Load load, RecordRing ring)
      throws IOException, InterruptedException {
    for (Variant variant : settings.variants()) {
      Contender contender =
          new Contender(settings, kafka, folders, variant, load, ring, listener::progress);
      contenders.add(contender);
      if (closed.get()) {
        throw new InterruptedException("the benchmark was closed");
      }
      contender.start();
    }
    for (Contender contender : contenders) {
      contender.warmUp();
    }
  }

  /** Every measure, of every variant directly after one another; every other round backwards. */
  private List<RunFigures> round(Load load, int round) throws IOException, InterruptedException {
    List<Contender> turns = new ArrayList<>(contenders);
    if (round % 2 == 0) {
      Collections.reverse(turns);
    }
    Map<Contender, Turn> figures = new LinkedHashMap<>();
    turns.forEach(c -> figures.put(c, new Turn(c, load, round)));
    for (Measure measure : List.of(Measure.LATENCY, Measure.ROLL, Measure.PRODUCE)) {
      if (settings.measures().contains(measure)) {
        for (Turn turn : figures.values()) {
          turn.take(measure);
        }
      }
    }
    List<RunFigures> all = new ArrayList<>();
    for (Contender contender : contenders) {
      RunFigures run = figures.get(contender).figures();
      listener.finished(run);
      all.add(run);
    }
    return all;
  }

  private void killBrokers() throws InterruptedException {
    for (Contender contender : contenders) {
      if (contender.node().running()) {
        contender.node().kill();
      }
    }
    contenders.clear();
  }

  /** Kills the brokers that live, and removes all directories. */
  @Override
  public void close() throws IOException {
    closed.set(true);
    try {
      killBrokers();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    folders.remove();
  }
}
