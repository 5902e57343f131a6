// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.load.Pace;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.comparison.ComparedVariant;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The load while one of three nodes dies and comes back.
 *
 * @param engine of which a node dies
 * @param variants of that engine: Headpond's, then what it is compared with
 * @param fast folder on the fast device
 * @param home folder on disk
 * @param ratePerSecond messages a second
 * @param messageBytes size of each
 * @param beforeSeconds with three nodes, before one of them is killed
 * @param deadSeconds from its death to its start
 * @param afterSeconds with all of them in sync again
 * @param rounds turns of each variant
 */
public record FailureSettings(
    FailureEngine engine,
    List<ComparedVariant> variants,
    Path fast,
    Path home,
    JavaHome java,
    double ratePerSecond,
    int messageBytes,
    int beforeSeconds,
    int deadSeconds,
    int afterSeconds,
    int rounds) {

  /** Nodes of each cluster. */
  static final int NODES = 3;

  /** Seconds of connecting and compiling, before a turn is measured. */
  static final int RAMP_SECONDS = 5;

  private static final int SECONDS_MAX = 600;
  private static final double RATE_MAX = 100_000;

  /** The limit of what three replicas of some minutes' load take of each device. */
  private static final long BYTES_MAX = 8L << 30;

  /** Refuses what would show nothing. */
  public FailureSettings {
    variants = List.copyOf(variants);
    check(
        variants.get(0).ordinal() == 0 && variants.stream().distinct().count() == variants.size(),
        "Headpond is compared with other variants, each of them once, not with " + variants);
    check(
        ratePerSecond >= 10 && ratePerSecond <= RATE_MAX,
        "a rate goes from 10 to 100,000 messages/s, not " + ratePerSecond);
    check(
        messageBytes >= 64 && messageBytes <= 1_000_000,
        "a message has 64 to 1,000,000 bytes, not " + messageBytes);
    seconds(beforeSeconds, "before");
    seconds(deadSeconds, "dead");
    seconds(afterSeconds, "after");
    check(rounds >= 1 && rounds <= 100, "rounds go from 1 to 100, not " + rounds);
    check(
        bytesOfATurn(ratePerSecond, messageBytes, beforeSeconds + deadSeconds + afterSeconds)
            <= BYTES_MAX,
        "a turn would write more than 8 GiB; choose a lower rate or fewer seconds");
  }

  private static void seconds(int value, String phase) {
    check(
        value >= 1 && value <= SECONDS_MAX,
        "the phase '" + phase + "' lasts 1 to 600 seconds, not " + value);
  }

  private static void check(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static double bytesOfATurn(double rate, int bytes, double seconds) {
    return NODES * rate * bytes * seconds;
  }

  /**
   * All that is sent in a turn, on three nodes; coming back takes as long as being dead at most.
   */
  long turnBytes() {
    double seconds = RAMP_SECONDS + beforeSeconds + 2.0 * deadSeconds + afterSeconds;
    return (long) bytesOfATurn(ratePerSecond, messageBytes, seconds);
  }

  /** The pace of messages. */
  Pace pace() {
    return Pace.constant(ratePerSecond);
  }

  /** The load in words, alike for alike loads. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%,.0f messages/s of %d B, %s, %d %ss, one of them dead for %d s",
        ratePerSecond,
        messageBytes,
        engine.acknowledged(),
        NODES,
        engine.node(),
        deadSeconds);
  }
}
