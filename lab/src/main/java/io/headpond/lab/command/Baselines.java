// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.lab.kafka.variant.Variant;
import java.util.List;
import picocli.CommandLine.Option;

/** The option for the variants that Headpond is compared with; used as {@code @Mixin}. */
final class Baselines {

  @Option(
      names = "--compare",
      paramLabel = "VARIANT[,VARIANT...]",
      converter = OptionValue.Words.class,
      description = "Baselines, by the names of their variants (default: ${DEFAULT-VALUE}).")
  private OptionValue<List<String>> names;

  private Baselines(OptionValue<List<String>> standard) {
    names = standard;
  }

  /** With a default, as it would be written on the command line. */
  Baselines(String standard) {
    this(OptionValue.words(standard));
  }

  /** With those of the measured engine as default, in words. */
  static Baselines byEngine(String standard) {
    return new Baselines(new OptionValue<>(List.of(), standard));
  }

  /** The names; empty if none are given, and there is no other default than the engine's. */
  List<String> names() {
    return names.value();
  }

  /**
   * Those of Kafka.
   *
   * @throws IllegalArgumentException if there is none of one of the names
   */
  List<Variant> ofKafka() {
    return names().stream().map(Variant::of).toList();
  }
}
