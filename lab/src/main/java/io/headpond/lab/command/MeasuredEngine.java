// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.WrongUsage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option for the engine of a scenario; used as {@code @Mixin}. */
final class MeasuredEngine {

  @Option(
      names = "--engine",
      required = true,
      paramLabel = "ENGINE",
      description = "kafka, bookkeeper or pulsar, if the scenario measures it.")
  private ScenarioEngine engine;

  /** Any of them. */
  ScenarioEngine any() {
    return engine;
  }

  /** Kafka; another one is refused with {@code remedy}. */
  ScenarioEngine kafka(CommandSpec spec, String remedy) {
    if (engine != ScenarioEngine.KAFKA) {
      throw WrongUsage.of(spec, remedy);
    }
    return engine;
  }
}
