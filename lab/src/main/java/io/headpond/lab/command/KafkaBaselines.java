// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.lab.kafka.variant.Variant;
import java.util.List;
import picocli.CommandLine.Option;

/** The Kafkas that Headpond is compared with; used as {@code @Mixin}. */
final class KafkaBaselines {

  @Option(
      names = "--compare",
      split = ",",
      paramLabel = "VARIANT",
      defaultValue = "vanilla-disk",
      description =
          "What Headpond is compared with: vanilla-disk, vanilla-forced, vanilla-fast, vanilla-tmpfs (default: "
              + "${DEFAULT-VALUE}).")
  private List<String> names;

  /**
   * The variants of these names.
   *
   * @throws IllegalArgumentException if there is none of one of them
   */
  List<Variant> variants() {
    return names.stream().map(Variant::of).toList();
  }
}
