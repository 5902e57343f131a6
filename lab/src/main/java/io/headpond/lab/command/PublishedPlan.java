// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.load.Pace;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.burst.BurstProfile;
import io.headpond.lab.burst.BurstSettings;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.failure.Bookies;
import io.headpond.lab.failure.Brokers;
import io.headpond.lab.failure.FailureEngine;
import io.headpond.lab.failure.FailureSettings;
import io.headpond.lab.kafka.rig.HomeRate;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.kafka.rig.SteadyLoad;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.LatencyLimit;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.Sweep;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The measurements of {@code headpond-lab published}.
 *
 * @param rounds turns of each variant under each load
 * @param seconds measured length of a turn
 * @param warmUpSeconds of each engine
 * @param rates of the sweep, messages a second
 * @param sizes of messages at full speed and under the limit, bytes
 * @param journals numbers of journal directories of bookies
 * @param producers of large messages
 * @param backlogBytes read by a consumer while brokers' throughput is measured; 0: none
 * @param isolationBytes of an old backlog that is read beside publishing
 * @param steady the load that never ends
 * @param burstTierBytes capacity of the tier that bursts come to
 * @param burstRounds turns of bursts
 * @param deaths whether bookies and brokers die too
 */
record PublishedPlan(
    int rounds,
    double seconds,
    double warmUpSeconds,
    List<Double> rates,
    List<Integer> sizes,
    List<Integer> journals,
    List<Integer> producers,
    long backlogBytes,
    long isolationBytes,
    SteadyLoad steady,
    long burstTierBytes,
    int burstRounds,
    boolean deaths) {

  private static final long MIB = 1 << 20;

  /** Message size of the tight tier's loads. */
  private static final int TIGHT_MESSAGE_BYTES = 16 << 10;

  static final PublishedPlan QUICK =
      new PublishedPlan(
          2,
          1.2,
          5,
          List.of(500.0, 2_000.0, 8_000.0, 20_000.0),
          List.of(1024),
          List.of(1),
          List.of(1, 30),
          0,
          64 * MIB,
          new SteadyLoad(128 * MIB, 48 * MIB, TIGHT_MESSAGE_BYTES, List.of(1.0, 2.0), 0.5, 2),
          64 * MIB,
          2,
          false);

  static final PublishedPlan FULL =
      new PublishedPlan(
          4,
          3,
          15,
          List.of(500.0, 2_000.0, 5_000.0, 20_000.0, 40_000.0, 80_000.0),
          List.of(1024, 4096),
          List.of(1, 4),
          List.of(1, 10, 30),
          256 * MIB,
          256 * MIB,
          new SteadyLoad(256 * MIB, 32 * MIB, TIGHT_MESSAGE_BYTES, List.of(1.0, 1.5, 2.0), 2, 4),
          128 * MIB,
          4,
          true);

  /** System B's and, of its figure 11, system A's limit. */
  static final LatencyLimit LIMIT = LatencyLimit.of("p99<5ms");

  /** A car's data in system C. */
  static final int LARGE_BYTES = 240_000;

  static final String BOOKIE = ", a bookie";
  static final String BROKER = ", a Kafka broker";

  /** The bandwidth of a slow home, which stands in for one that isn't limited. */
  private static final HomeRate THROTTLED = HomeRate.throttled(12 * MIB);

  /** Size of the tier for bursts: the seconds of writes that a limited home takes. */
  private static final long LIMITED_HOME_SECONDS = 16;

  private static final double LIMITED_STEADY_SHARE = 0.7;
  private static final double LIMITED_BASE_SHARE = 0.4;
  private static final int LIMITED_BURST_TIMES = 3;

  private static final double THRESHOLD = 0.5;
  private static final double WARM_UP_RATE = 1_000;
  private static final int SENDERS = 2;

  /** The rate at which home takes what migrates: that of its disk, if that is limited. */
  static HomeRate homeRate(RunPlace place) {
    OptionalLong disk = place.homeBytesPerSecond();
    return disk.isPresent() ? HomeRate.ofDisk(disk.getAsLong()) : THROTTLED;
  }

  /**
   * The load that never ends: below what a limited home takes, and above what migration is
   * throttled to.
   */
  SteadyLoad steadyOn(HomeRate home) {
    return home.throttled()
        ? steady
        : new SteadyLoad(
            steady.tierBytes(),
            (long) (LIMITED_STEADY_SHARE * home.bytesPerSecond()),
            steady.messageBytes(),
            steady.retentions(),
            steady.wraps(),
            steady.rounds());
  }

  /** Kafka's baselines; the log in memory only where the fast device is memory. */
  private static List<String> kafkaBaselines(RunPlace place) throws IOException {
    List<String> names = new ArrayList<>(ScenarioEngine.KAFKA.defaultBaselines());
    if (!place.fastIsVolatile()) {
      names.replaceAll(
          name -> name.equals(Variant.VANILLA_TMPFS.key()) ? Variant.VANILLA_FAST.key() : name);
    }
    return names;
  }

  /** The stages that measure points, each with engines of its own. */
  List<ScenarioStage> stages(
      Set<PublishedPart> parts, EngineRelease bookKeeper, EngineRelease kafka, RunPlace place)
      throws IOException {
    List<ScenarioStage> stages = new ArrayList<>();
    for (int number : journals(parts)) {
      stages.add(
          new ScenarioStage(
              ScenarioEngine.BOOKKEEPER,
              bookKeeper,
              ScenarioEngine.BOOKKEEPER.variants(ScenarioEngine.BOOKKEEPER.defaultBaselines()),
              number,
              KafkaTier.KEEPS,
              bookie(number),
              null,
              turns -> bookies(turns, number)));
    }
    if (parts.contains(PublishedPart.BROKERS)) {
      stages.add(brokers(kafka, kafkaBaselines(place), KafkaTier.AGES, this::brokers));
    }
    if (parts.contains(PublishedPart.STEADY)) {
      SteadyLoad endless = steadyOn(homeRate(place));
      stages.add(
          brokers(
              kafka,
              List.of(PublishedTable.VANILLA_DISK),
              endless.tier(THRESHOLD, homeRate(place)),
              turns -> endless.run(turns, warmUpSeconds)));
    }
    return stages;
  }

  /** Numbers of journals of the bookies that are asked for. */
  List<Integer> journals(Set<PublishedPart> parts) {
    return journals.stream()
        .filter(n -> parts.contains(n == 1 ? PublishedPart.BOOKIES : PublishedPart.JOURNALS))
        .toList();
  }

  private static ScenarioStage brokers(
      EngineRelease kafka, List<String> baselines, KafkaTier tier, ScenarioStage.Work work) {
    return new ScenarioStage(
        ScenarioEngine.KAFKA,
        kafka,
        ScenarioEngine.KAFKA.variants(baselines),
        1,
        tier,
        BROKER,
        null,
        work);
  }

  /** The bursts, on the devices of {@code place}. */
  BurstMeasurement bursts(RunPlace place) throws IOException {
    HomeRate home = homeRate(place);
    long rate = home.bytesPerSecond();
    return new BurstMeasurement(
        new BurstSettings(
            List.of(Variant.VANILLA_DISK),
            place.fast(),
            place.home(),
            place.java(),
            home.throttled() ? burstTierBytes : LIMITED_HOME_SECONDS * rate,
            BurstSettings.SEGMENTS_FINE,
            THRESHOLD,
            home,
            home.throttled() ? 32 * MIB : LIMITED_BURST_TIMES * rate,
            home.throttled() ? 2 * MIB : (long) (LIMITED_BASE_SHARE * rate),
            BurstProfile.CONSTANT,
            1,
            1.3,
            TIGHT_MESSAGE_BYTES,
            burstRounds,
            1,
            warmUpSeconds));
  }

  /**
   * Nodes that die, one of three.
   *
   * @param bookies with as many copies as Pulsar comes with
   */
  record Deaths(FailureMeasurement bookies, FailureMeasurement brokers) {

    List<ProfileMeasurement> both() {
      return List.of(bookies, brokers);
    }
  }

  /** The deaths of bookies and of brokers; empty if they are left out. */
  Optional<Deaths> deaths(RunPlace place, EngineRelease bookKeeper, EngineRelease kafka)
      throws IOException {
    if (!deaths) {
      return Optional.empty();
    }
    FailureEngine bookies = new Bookies(LedgerQuorum.TWO);
    // A partition has no leader until Kafka has noticed, after 9 s; a bookie's client does at once.
    return Optional.of(
        new Deaths(
            new FailureMeasurement(
                deaths(bookies, JournalVariant.HEADPOND, JournalVariant.DEFAULT_DISK, place, 8),
                bookKeeper),
            new FailureMeasurement(
                deaths(new Brokers(), Variant.HEADPOND, Variant.VANILLA_DISK, place, 15), kafka)));
  }

  private FailureSettings deaths(
      FailureEngine engine,
      ComparedVariant headpond,
      ComparedVariant baseline,
      RunPlace place,
      int deadSeconds)
      throws IOException {
    return new FailureSettings(
        engine,
        List.of(headpond, baseline),
        place.fast(),
        place.home(),
        place.java(),
        500,
        1024,
        8,
        deadSeconds,
        8,
        rounds);
  }

  /** The part of a load's name for bookies with so many journals. */
  static String bookie(int journals) {
    return journals == 1 ? BOOKIE : BOOKIE + " with " + journals + " journals";
  }

  private Point point(int bytes) {
    return Point.of(bytes, seconds).on(1, Point.PARTITIONS);
  }

  private void bookies(Turns turns, int number) throws IOException, InterruptedException {
    Point first = point(sizes.get(0));
    turns.warmUp(first, warmUpSeconds, WARM_UP_RATE);
    if (number == 1) {
      new Sweep(first, rates, rounds).run(turns);
    }
    for (int bytes : sizes) {
      Point point = point(bytes).clients(Math.max(SENDERS, number), 0);
      turns.measure(point, rounds);
      only(turns, PublishedTable.DISK).search(point, LIMIT, rounds);
    }
  }

  private static Turns only(Turns turns, String baseline) {
    Set<String> few = Set.of("headpond", baseline);
    return turns.of(turns.rigs().stream().filter(r -> few.contains(r.variant().key())).toList());
  }

  private void brokers(Turns turns) throws IOException, InterruptedException {
    Point first = point(sizes.get(0)).clients(SENDERS, 0);
    turns.warmUp(first, warmUpSeconds, WARM_UP_RATE);
    only(turns, PublishedTable.FORCED).search(first.beside(backlogBytes), LIMIT, rounds);
    for (int number : producers) {
      turns.measure(point(LARGE_BYTES).clients(number, 0), rounds);
    }
    only(turns, PublishedTable.VANILLA_DISK)
        .isolate(point(sizes.get(0)).at(Pace.constant(WARM_UP_RATE)), isolationBytes, rounds);
  }
}
