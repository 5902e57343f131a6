// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.RateConverter;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.Units;
import io.headpond.lab.results.Label;
import picocli.CommandLine.Option;

/** A fast tier that loads fill, and a home that is limited; used as {@code @Mixin}. */
final class TightTier {

  @Option(
      names = "--tier",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "256MiB",
      description = "Capacity of the fast tier (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--threshold",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description = "The used share that migration steers to (default: ${DEFAULT-VALUE}).")
  private double threshold;

  @Option(
      names = "--home-rate",
      paramLabel = "SIZE",
      converter = RateConverter.class,
      defaultValue = "12MiB",
      description = "What migration is limited to in each second (default: ${DEFAULT-VALUE}).")
  private long homeRate;

  long bytes() {
    return bytes;
  }

  double threshold() {
    return threshold;
  }

  long homeBytesPerSecond() {
    return homeRate;
  }

  /** The label of a home that is throttled. */
  static Label throttled(long homeBytesPerSecond) {
    return new Label(
        "THROTTLED",
        "migration is limited to "
            + Units.bytes(homeBytesPerSecond)
            + "/s in place of a slow home; that limits neither the disk nor vanilla Kafka on it");
  }
}
