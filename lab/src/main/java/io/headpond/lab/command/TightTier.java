// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.RateConverter;
import io.headpond.cli.console.SizeConverter;
import io.headpond.cli.console.Units;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.results.Label;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** A fast tier that loads fill, and a home that is limited; used as {@code @Mixin}. */
final class TightTier {

  private static final long HOME_RATE = 12 << 20;
  private static final long BYTES = 256 << 20;

  /** Time that a slow home needs for a whole tier, seconds. */
  private static final long LIMITED_HOME_SECONDS = 32;

  @Option(
      names = "--tier",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Capacity of the fast tier (default: 256MiB; beside --home-limit what home takes in 32 s).")
  private Long bytes;

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
      description =
          "Limit of migration, bytes per second (default: 12MiB; beside --home-limit not"
              + " limited by itself).")
  private Long homeRate;

  @Option(
      names = "--segment-bytes",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Size of Kafka's segments, 1MiB to 64MiB (default: a small part of the tier, so that its"
              + " fill is seen). Each roll is some small writes at home.")
  private Long segmentBytes;

  /** The capacity, where home is as {@code place} says. */
  long bytes(RunPlace place) {
    if (bytes != null) {
      return bytes;
    }
    HomeRate home = homeRate(place);
    return home.throttled() ? BYTES : LIMITED_HOME_SECONDS * home.bytesPerSecond();
  }

  /**
   * Segments that a full tier holds.
   *
   * @param otherwise where none are asked for by their size
   */
  int segments(RunPlace place, int otherwise) {
    if (segmentBytes == null) {
      return otherwise;
    }
    if (segmentBytes < 1 << 20 || segmentBytes > 64 << 20) {
      throw new IllegalArgumentException("--segment-bytes must be from 1MiB to 64MiB");
    }
    return (int) Math.max(1, bytes(place) / segmentBytes);
  }

  double threshold() {
    return threshold;
  }

  /** The rate at which home takes what migrates; that of its disk, if {@code place} limits it. */
  HomeRate homeRate(RunPlace place) {
    OptionalLong disk = place.homeBytesPerSecond();
    if (homeRate == null && disk.isPresent()) {
      return HomeRate.ofDisk(disk.getAsLong());
    }
    return HomeRate.throttled(homeRate == null ? HOME_RATE : homeRate);
  }

  /** The label of a home that is throttled. */
  static Optional<Label> label(HomeRate home) {
    return home.throttled()
        ? Optional.of(
            new Label(
                "THROTTLED",
                "migration is limited to "
                    + Units.bytes(home.bytesPerSecond())
                    + "/s in place of a slow home; that limits neither the disk nor vanilla Kafka"
                    + " on it"))
        : Optional.empty();
  }
}
