// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.demo.EngineJars;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.bookkeeper.rig.BookieRigs;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.rig.KafkaRigs;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.pulsar.rig.PulsarRigs;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.Rigs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** An engine that scenarios are measured with. */
enum ScenarioEngine {
  KAFKA(Engine.KAFKA, List.of("vanilla-tmpfs", "vanilla-forced", "vanilla-disk")) {
    @Override
    List<ComparedVariant> variants(List<String> baselines) {
      return all(Variant.HEADPOND, baselines.stream().map(Variant::of).toList());
    }

    @Override
    Rigs rigs(RigSettings settings, ScenarioStage stage, Consumer<String> progress)
        throws IOException {
      return new KafkaRigs(
          settings,
          cast(Variant.class, stage.variants()),
          Producers.LEADER,
          stage.tier(),
          stage.hosts(),
          progress);
    }
  },
  BOOKKEEPER(Engine.BOOKKEEPER, List.of("default-fast", "default-disk")) {
    @Override
    Rigs rigs(RigSettings settings, ScenarioStage stage, Consumer<String> progress)
        throws IOException {
      return new BookieRigs(
          settings,
          cast(JournalVariant.class, stage.variants()),
          stage.journals(),
          Map.of(),
          false,
          progress);
    }
  },
  PULSAR(Engine.PULSAR, BOOKKEEPER.defaultBaselines()) {
    @Override
    Rigs rigs(RigSettings settings, ScenarioStage stage, Consumer<String> progress)
        throws IOException {
      return new PulsarRigs(settings, cast(JournalVariant.class, stage.variants()), progress);
    }
  };

  private final Engine engine;
  private final List<String> baselines;

  ScenarioEngine(Engine engine, List<String> baselines) {
    this.engine = engine;
    this.baselines = baselines;
  }

  /** The default baselines of Headpond. */
  List<String> defaultBaselines() {
    return baselines;
  }

  /** The release that is measured, fetched if that is how it comes; {@code home} may be null. */
  EngineRelease release(Path home, PrintWriter out) throws IOException, InterruptedException {
    return EngineJars.of(engine, home, out);
  }

  /** Headpond's variant and its baselines by their names: where a bookie's journal lies. */
  List<ComparedVariant> variants(List<String> baselines) {
    return all(JournalVariant.HEADPOND, baselines.stream().map(JournalVariant::of).toList());
  }

  /** Rigs of a stage of this engine's, not started. */
  abstract Rigs rigs(RigSettings settings, ScenarioStage stage, Consumer<String> progress)
      throws IOException;

  private static <V> List<V> cast(Class<V> engines, List<ComparedVariant> variants) {
    return variants.stream().map(engines::cast).toList();
  }

  private static List<ComparedVariant> all(
      ComparedVariant headpond, List<? extends ComparedVariant> baselines) {
    if (baselines.isEmpty() || baselines.contains(headpond)) {
      throw new IllegalArgumentException(
          "Headpond is compared with at least one other variant, not with " + baselines);
    }
    return ComparedVariant.withBaselines(headpond, baselines);
  }
}
