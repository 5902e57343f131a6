// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.failure;

import io.headpond.bench.comparison.ComparedVariant;
import io.headpond.bench.kafka.speed.Variant;
import io.headpond.bench.load.Pace;
import io.headpond.bench.process.JavaHome;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What is sent while a broker dies and comes back.
 *
 * @param rivals what Headpond is compared with, in the order of their turns after it
 * @param fast folder on the fast device
 * @param home folder on disk
 * @param ratePerSecond messages a second
 * @param messageBytes size of each
 * @param beforeSeconds with three brokers, before one of them is killed
 * @param deadSeconds from its death to its start
 * @param afterSeconds with three replicas again
 * @param rounds turns of each variant
 */
public record FailureSettings(
    List<Variant> rivals,
    Path fast,
    Path home,
    JavaHome java,
    double ratePerSecond,
    int messageBytes,
    int beforeSeconds,
    int deadSeconds,
    int afterSeconds,
    int rounds) {

  static final int BROKERS = 3;

  /** Each broker leads two of them. */
  static final int PARTITIONS = 6;

  /** Of each broker; brokers of two clusters share the machine. */
  static final int HEAP_MIB = 256;

  /** Seconds of connecting and compiling, before a turn is measured. */
  static final int RAMP_SECONDS = 5;

  private static final int SECONDS_MAX = 600;
  private static final double RATE_MAX = 100_000;

  /** What three replicas of some minutes' load, at most, take of each device. */
  private static final long BYTES_MAX = 8L << 30;

  /** Refuses what would show nothing. */
  public FailureSettings {
    rivals = List.copyOf(rivals);
    check(
        !rivals.contains(Variant.HEADPOND), "Headpond is compared with other variants, not itself");
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
    return BROKERS * rate * bytes * seconds;
  }

  /**
   * All that is sent in a turn, on three brokers; coming back takes as long as being dead at most.
   */
  long turnBytes() {
    double seconds = RAMP_SECONDS + beforeSeconds + 2.0 * deadSeconds + afterSeconds;
    return (long) bytesOfATurn(ratePerSecond, messageBytes, seconds);
  }

  /** When messages are due. */
  Pace pace() {
    return Pace.constant(ratePerSecond);
  }

  /** Headpond and its rivals. */
  public List<Variant> variants() {
    return ComparedVariant.withRivals(Variant.HEADPOND, rivals);
  }

  /** In words, alike for alike loads. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%,.0f messages/s of %d B, acks=all, %d brokers, one of them dead for %d s",
        ratePerSecond,
        messageBytes,
        BROKERS,
        deadSeconds);
  }
}
