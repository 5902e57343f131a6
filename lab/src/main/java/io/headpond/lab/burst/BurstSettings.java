// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.burst;

import io.headpond.harness.load.Pace;
import io.headpond.harness.process.JavaHome;
import io.headpond.lab.burst.BurstProfile.Burst;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.Point;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The bursts, and the machine that they meet.
 *
 * @param baselines what Headpond is compared with, in the order of their turns after it
 * @param fast folder on the fast device
 * @param home folder on disk
 * @param tierBytes the fast tier's capacity
 * @param segments that a full tier holds, of 1 to 64 MiB: the granularity of its fill
 * @param threshold share of it that migration steers to
 * @param homeRate the rate at which home takes what migrates
 * @param burstBytesPerSecond the highest rate of a burst
 * @param baseBytesPerSecond between bursts
 * @param bursts how many
 * @param overfill a burst's length as a multiple of what the tier absorbs of the highest rate
 * @param messageBytes size of each message
 * @param rounds turns of each variant
 * @param seed of the random profile
 * @param warmUpSeconds of each variant before its first turn
 */
public record BurstSettings(
    List<Variant> baselines,
    Path fast,
    Path home,
    JavaHome java,
    long tierBytes,
    int segments,
    double threshold,
    HomeRate homeRate,
    long burstBytesPerSecond,
    long baseBytesPerSecond,
    BurstProfile profile,
    int bursts,
    double overfill,
    int messageBytes,
    int rounds,
    long seed,
    double warmUpSeconds) {

  static final int PARTITIONS = 2;

  /** As many {@code segments} as show the tier's fill finely. */
  public static final int SEGMENTS_FINE = 128;

  private static final int BURSTS_MAX = 1_000;
  private static final double SECONDS_MAX = 24 * 3600;

  /** Share of a slow disk's rate at which the tier is filled. */
  private static final double FILL_SHARE = 0.8;

  /** Factor on the predicted pause, so that its end is seen. */
  private static final double PATIENCE = 1.3;

  /** Refuses what would show nothing. */
  public BurstSettings {
    baselines = List.copyOf(baselines);
    KafkaTier.tight(tierBytes, threshold, homeRate, segments);
    check(
        baseBytesPerSecond > 0
            && baseBytesPerSecond < homeRate.bytesPerSecond()
            && homeRate.bytesPerSecond() < burstBytesPerSecond,
        "the rate between bursts must be below what home takes, and that below the bursts' rate");
    check(
        bursts >= 1 && bursts <= BURSTS_MAX && rounds >= 1 && rounds <= 100,
        "there are 1 to 1,000 bursts and 1 to 100 rounds");
    check(
        warmUpSeconds >= 0.5 && warmUpSeconds <= 3600,
        "a warm-up lasts 0.5 to 3600 s, not " + warmUpSeconds);
    check(overfill > 0 && overfill <= 10, "bursts overfill the tier by 10 times at most");
    check(
        messageBytes >= 64 && messageBytes <= 1_000_000,
        "a message has 64 to 1,000,000 bytes, not " + messageBytes);
    check(
        !baselines.contains(Variant.HEADPOND) && List.copyOf(baselines).size() == baselines.size(),
        "Headpond is compared with other variants, not with " + baselines);
  }

  private static void check(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Room for bursts, bytes. */
  double reserved() {
    return tierBytes * (1 - threshold);
  }

  /** Headpond and its baselines. */
  public List<Variant> variants() {
    return ComparedVariant.withBaselines(Variant.HEADPOND, baselines);
  }

  /** The fast tier. */
  KafkaTier tier() {
    return KafkaTier.tight(tierBytes, threshold, homeRate, segments);
  }

  /** Size of the topic's segments, bytes: the finer, the better the tier's fill is known. */
  public long segmentBytes() {
    return tier().segmentBytes();
  }

  /**
   * The fill that counts as back at the threshold, bytes: segments that are written to don't move.
   */
  public double steeredBytes() {
    return tierBytes * threshold + PARTITIONS * segmentBytes();
  }

  /** The bursts with their times. */
  public List<Burst> schedule() {
    double net = burstBytesPerSecond - homeRate.bytesPerSecond();
    double pause = PATIENCE * reserved() / (homeRate.bytesPerSecond() - baseBytesPerSecond);
    double seconds = overfill * reserved() / net;
    check(
        bursts * (seconds + pause) <= SECONDS_MAX,
        "all bursts with their pauses would take more than a day; choose higher rates");
    return profile.bursts(bursts, burstBytesPerSecond, seconds, pause, seed);
  }

  /** The pause after the last burst included, seconds. */
  public double seconds() {
    return steps().stream().mapToDouble(TierForecast.Step::seconds).sum();
  }

  /** The time when the burst after {@code index} begins, or all ends, seconds. */
  public double next(List<Burst> schedule, int index) {
    return index + 1 < schedule.size() ? schedule.get(index + 1).begin() : seconds();
  }

  /** The rates, from the first burst's beginning on. */
  public List<TierForecast.Step> steps() {
    List<Burst> schedule = schedule();
    List<TierForecast.Step> steps = new ArrayList<>();
    for (int i = 0; i < schedule.size(); i++) {
      Burst burst = schedule.get(i);
      steps.add(new TierForecast.Step(burst.seconds(), burst.bytesPerSecond()));
      double pause =
          i + 1 < schedule.size()
              ? schedule.get(i + 1).begin() - burst.end()
              : PATIENCE * reserved() / (homeRate.bytesPerSecond() - baseBytesPerSecond);
      steps.add(new TierForecast.Step(pause, baseBytesPerSecond));
    }
    return steps;
  }

  /** The forecast of the tier's fill. */
  public TierForecast forecast() {
    return TierForecast.of(tierBytes, threshold, homeRate.bytesPerSecond(), steps());
  }

  /** Bytes that one variant gets in a round. */
  public long bytes() {
    double bursts = steps().stream().mapToDouble(s -> s.seconds() * s.bytesPerSecond()).sum();
    return (long) (bursts + tierBytes * threshold + baseBytesPerSecond * settleSeconds());
  }

  /** The load before the first turn, by which the code of broker and producer is compiled. */
  Point warmUp() {
    return Point.of(messageBytes, warmUpSeconds)
        .at(Pace.constant(fillBytesPerSecond() / messageBytes))
        .on(1, PARTITIONS);
  }

  /** The mean rate during bursts, bytes a second. */
  double meanBurstBytesPerSecond() {
    List<Burst> schedule = schedule();
    return schedule.stream().mapToDouble(b -> b.seconds() * b.bytesPerSecond()).sum()
        / schedule.stream().mapToDouble(Burst::seconds).sum();
  }

  /** Seconds before the first burst: the tier is filled to its threshold, and settles. */
  double rampSeconds() {
    return fillSeconds() + settleSeconds();
  }

  private double fillSeconds() {
    return tierBytes * threshold / fillBytesPerSecond();
  }

  /**
   * The rate before the first burst, bytes a second: on a slow disk one that baselines can keep, so
   * that none begins its bursts with a backlog.
   */
  private double fillBytesPerSecond() {
    return homeRate.throttled() ? burstBytesPerSecond : FILL_SHARE * homeRate.bytesPerSecond();
  }

  private double settleSeconds() {
    return 2 + 2.0 * PARTITIONS * segmentBytes() / homeRate.bytesPerSecond();
  }

  /** The load: filling, settling, then the bursts. */
  Pace pace() {
    List<Pace.Step> pace = new ArrayList<>();
    pace.add(step(fillSeconds(), fillBytesPerSecond()));
    pace.add(step(settleSeconds(), baseBytesPerSecond));
    steps().forEach(s -> pace.add(step(s.seconds(), s.bytesPerSecond())));
    return new Pace(pace);
  }

  private Pace.Step step(double seconds, double bytesPerSecond) {
    return new Pace.Step(bytesPerSecond / messageBytes, seconds);
  }

  /** The load in words, alike for alike loads. */
  public String text() {
    List<Burst> schedule = schedule();
    return String.format(
        Locale.ROOT,
        "%s bursts of up to %d MiB/s for %.0f s, %d MiB/s between them, tier of %d MiB at %.2f, home"
            + " %d MiB/s%s",
        profile.key(),
        burstBytesPerSecond >> 20,
        schedule.get(0).seconds(),
        baseBytesPerSecond >> 20,
        tierBytes >> 20,
        threshold,
        homeRate.bytesPerSecond() >> 20,
        profile == BurstProfile.RANDOM ? ", seed " + seed : "");
  }
}
