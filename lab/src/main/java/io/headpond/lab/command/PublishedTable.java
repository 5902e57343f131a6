// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.burst.BurstOutcome;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.kafka.rig.SteadyLoad;
import io.headpond.lab.results.PublishedRow;
import io.headpond.lab.scenario.ScenarioFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The published results of the systems that Headpond implements, beside those that {@code
 * headpond-lab published} measured.
 */
final class PublishedTable {

  private static final String NOT_MEASURED = "not measured in this run";

  /** The variant whose figures system A published. */
  static final String DISK = "default-disk";

  /** The broker that forces every message, as system B's did. */
  static final String FORCED = "vanilla-forced";

  /** The broker that leaves forcing to the kernel, as system D's did. */
  static final String VANILLA_DISK = "vanilla-disk";

  private final ScenarioFigures figures;
  private final List<Comparison<String, ComparedVariant>> points;
  private final List<Comparison<String, ComparedVariant>> searches;
  private final List<Comparison<String, ComparedVariant>> isolations;
  private final BurstMeasurement bursts;
  private final PublishedPlan.Deaths deaths;
  private final String device;
  private final boolean quick;

  /**
   * @param deaths null: not measured
   * @param memory whether memory stands in for persistent memory
   * @param quick whether it was {@code --quick}
   */
  PublishedTable(
      ScenarioFigures figures,
      BurstMeasurement bursts,
      PublishedPlan.Deaths deaths,
      boolean memory,
      boolean quick) {
    this.figures = figures;
    this.isolations = figures.isolationComparisons();
    this.bursts = bursts;
    this.deaths = deaths;
    this.points = figures.pointComparisons();
    this.searches = figures.searchComparisons();
    this.quick = quick;
    this.device =
        (memory ? "Memory stands in for persistent memory. " : "")
            + "One engine instead of a cluster; the load generator shares "
            + Units.count(Runtime.getRuntime().availableProcessors(), "processor")
            + " with it";
  }

  /** All rows, in the order of the systems. */
  List<PublishedRow> rows() {
    List<PublishedRow> rows = new ArrayList<>();
    white(rows);
    pulsar(rows);
    large(rows);
    tiered(rows);
    return rows;
  }

  /** The system A of the published results. */
  private void white(List<PublishedRow> rows) {
    String paper = "A, Intel and StreamNative";
    rows.add(
        new PublishedRow(
            paper,
            "lowest P99 of a bookie against its journal on the disk, forced",
            "0.44 times (1 module), 0.45 times (4): 0.655 ms and 0.666 ms against 1.475 ms on NVMe",
            ratio(points, "latency_p99", DISK, load -> load.endsWith(PublishedPlan.BOOKIE)),
            device));
    rows.add(
        new PublishedRow(
            paper,
            "throughput at the disk's lowest P99",
            "21 times (1 module), 64 times (4): 4,202 and 12,716 MB/s against 196 MB/s",
            atTheDisksLatency(),
            device + ". The rates are those of the sweep, not searched for."));
    for (int journals : new int[] {1, 4}) {
      for (int bytes : new int[] {1024, 4096}) {
        String load = bytes / 1024 + " KiB messages";
        String modules = journals == 1 ? "1 module" : "4 modules";
        Predicate<String> same =
            l -> l.startsWith(load) && l.endsWith(PublishedPlan.bookie(journals));
        rows.add(
            new PublishedRow(
                paper,
                "highest throughput, " + load + ", " + Units.count(journals, "journal"),
                highest(journals, bytes) + " times (" + modules + ")",
                ratio(points, "messages", DISK, same.and(l -> l.contains("full speed"))),
                device + fourOnOne(journals)));
        rows.add(
            new PublishedRow(
                paper,
                "highest within P99 < 5 ms, " + load + ", " + Units.count(journals, "journal"),
                within(journals, bytes) + " times (" + modules + ")",
                ratio(searches, "limited_messages", DISK, same),
                device + fourOnOne(journals)));
      }
    }
  }

  private static String highest(int journals, int bytes) {
    return journals == 1 ? bytes == 1024 ? "1.26" : "1.28" : bytes == 1024 ? "3.34" : "3.56";
  }

  private static String within(int journals, int bytes) {
    return journals == 1 ? bytes == 1024 ? "1.5" : "1.66" : bytes == 1024 ? "3.27" : "4.56";
  }

  private static String fourOnOne(int journals) {
    return journals == 1 ? "" : ". All journals are on one device.";
  }

  /** The system B of the published results. */
  private void pulsar(List<PublishedRow> rows) {
    rows.add(
        new PublishedRow(
            "B, Verizon Media",
            "throughput within P99 < 5 ms, every message durable: a broker against one that forces"
                + " each append to disk",
            "3 times an SSD, 5 times a disk: 600 MB/s against 350 (NVMe), 200 (SSD), 120 (HDD)",
            ratio(searches, "limited_bytes", FORCED, load -> load.endsWith(PublishedPlan.BROKER)),
            device + (quick ? ". No backlog drains meanwhile." : "")));
    rows.add(
        new PublishedRow(
            "B, Verizon Media",
            "publish P99 while an old backlog is read, divided by the quiet one: a broker against"
                + " vanilla-disk",
            "latency unaffected",
            ratio(isolations, "growth_p99", VANILLA_DISK, load -> true),
            device
                + ". A broker instead of a bookie (headpond-lab run ledgers), and the consumer that reads takes"
                + " processors too."));
    String processors = Units.count(Runtime.getRuntime().availableProcessors(), "processor");
    rows.add(
        death(
            "publish P99 while one of three bookies is dead, divided by that before: a cluster"
                + " against default-disk",
            deaths == null ? null : deaths.bookies(),
            "growth_p99",
            DISK,
            "The client writes to the third bookie at once: the process is killed, and its"
                + " connections end with it. All bookies and the client share "
                + processors));
    rows.add(
        death(
            "publish P99 while one of three brokers is dead, against vanilla-disk",
            deaths == null ? null : deaths.brokers(),
            "dead_p99",
            VANILLA_DISK,
            "A partition has no leader until Kafka has noticed, which takes 9 s; a bookie's ledger"
                + " goes on elsewhere at once. All brokers share "
                + processors));
  }

  /**
   * @param measured null: not measured
   */
  private static PublishedRow death(
      String experiment,
      FailureMeasurement measured,
      String metric,
      String baseline,
      String limits) {
    return new PublishedRow(
        "B, Verizon Media",
        experiment,
        "latency unaffected while a bookie fails",
        measured == null
            ? NOT_MEASURED + "; headpond-lab run failure measures it"
            : ratio(measured.comparisons(), metric, baseline, load -> true),
        limits);
  }

  /** The system C of the published results. */
  private void large(List<PublishedRow> rows) {
    for (int producers : new int[] {1, 30}) {
      String many = Units.count(producers, "producer");
      for (String baseline : List.of(VANILLA_DISK, FORCED)) {
        rows.add(
            new PublishedRow(
                "C, ingestion congestion",
                "messages of 240 KB, " + many + ", against " + baseline,
                producers == 1
                    ? "about 5 times SATA, 2.5 times NVMe"
                    : "12 to 15 times SATA at 25 to 30 producers",
                ratio(
                    points,
                    "bytes",
                    baseline,
                    load -> load.startsWith("240000 B") && load.contains(", " + many + ",")),
                device
                    + (baseline.equals(FORCED)
                        ? ""
                        : ". Nothing is forced on disk: for seconds the page cache takes it, and"
                            + " hides a disk that is slower.")));
      }
    }
  }

  /** The system D of the published results. */
  private void tiered(List<PublishedRow> rows) {
    String pafka = "D, Pafka";
    boolean throttled = bursts.settings().homeRate().throttled();
    String slow =
        device
            + (throttled
                ? ". Migration is limited in place of a slow home; vanilla-disk isn't."
                : ". Home is limited by the block layer, for all.");
    String fixed =
        slow + " The rate is fixed" + (throttled ? ", and the page cache hides the disk." : ".");
    rows.add(
        new PublishedRow(
            pafka,
            "bursts over a slow home: how long the tier takes them, against the formula",
            "8 GB/s for about a minute, or 2.5 GB/s for about two, over a home of 500 MB/s",
            burstLength(),
            slow));
    rows.add(
        new PublishedRow(
            pafka,
            "publish P99 in these bursts, against vanilla-disk",
            "not told",
            ratio(bursts.comparisons(), "burst_p99", VANILLA_DISK, load -> true),
            slow));
    for (double retention : new double[] {1, 1.5, 2}) {
      Predicate<String> kind = load -> load.contains(SteadyLoad.kind(retention) + ",");
      String times = SteadyLoad.times(retention);
      rows.add(
          new PublishedRow(
              pafka,
              "steady load, the log keeps "
                  + times
                  + " of the tier: throughput, against vanilla-disk",
              retention == 1 ? "about 6 GB/s" : "1 to 2 times the disk alone",
              ratio(points, "bytes", VANILLA_DISK, kind) + inTier(kind),
              fixed));
      rows.add(
          new PublishedRow(
              pafka,
              "steady load, the log keeps "
                  + times
                  + " of the tier: publish P99, against vanilla-disk",
              "not told",
              ratio(points, "latency_p99", VANILLA_DISK, kind),
              slow));
    }
  }

  private String burstLength() {
    if (bursts.outcomes().isEmpty()) {
      return NOT_MEASURED;
    }
    List<BurstOutcome> both =
        bursts.outcomes().stream()
            .filter(o -> o.absorbed() != null && o.absorbedPredicted() != null)
            .toList();
    if (both.isEmpty()) {
      return "no burst overflowed the tier";
    }
    Spread seconds = Spread.of(both.stream().map(BurstOutcome::absorbed).toList());
    return String.format(
        "%s MB/s over a home of %s MB/s for %s s (%s – %s); %s s by the formula",
        Units.number(both.get(0).bytesPerSecond() / 1e6),
        Units.number(bursts.settings().homeRate().bytesPerSecond() / 1e6),
        Units.number(seconds.median()),
        Units.number(seconds.min()),
        Units.number(seconds.max()),
        Units.number(both.get(0).absorbedPredicted()));
  }

  /** Headpond's own, after the ratio to a baseline. */
  private String inTier(Predicate<String> load) {
    return find(points, "tier_appends", "headpond", load)
        .map(c -> String.format("; %s %% of it in the tier", Units.number(c.value().median())))
        .orElse("");
  }

  /** The first of a variant's comparisons: of a sweep the lowest rate's. */
  private static <V extends ComparedVariant> Optional<Comparison<String, V>> find(
      List<Comparison<String, V>> all, String metric, String variant, Predicate<String> load) {
    return all.stream()
        .filter(c -> c.metric().equals(metric) && c.variant().key().equals(variant))
        .filter(c -> load.test(c.load()))
        .findFirst();
  }

  /** Headpond's against a baseline's, in words. */
  private static <V extends ComparedVariant> String ratio(
      List<Comparison<String, V>> all, String metric, String baseline, Predicate<String> load) {
    return find(all, metric, baseline, load).map(theirs -> words(all, theirs)).orElse(NOT_MEASURED);
  }

  private static <V extends ComparedVariant> String words(
      List<Comparison<String, V>> all, Comparison<String, V> baseline) {
    double theirs = baseline.value().median();
    double ours =
        find(all, baseline.metric(), "headpond", baseline.load()::equals)
            .orElseThrow()
            .value()
            .median();
    if (baseline.value().max() == 0) {
      return String.format(
          "no ratio: %s %s, and the baseline none at all", Units.number(ours), baseline.unit());
    }
    String values =
        String.format(
            "%s against %s %s", Units.number(ours), Units.number(theirs), baseline.unit());
    return baseline.headpondRatio() == null
        ? "no ratio: " + values
        : String.format(
            "%s times (%s – %s): %s",
            Units.number(baseline.headpondRatio().median()),
            Units.number(baseline.headpondRatio().min()),
            Units.number(baseline.headpondRatio().max()),
            values);
  }

  /** The rates that both took while their P99 was no more than the disk's lowest. */
  private String atTheDisksLatency() {
    Optional<Curve> sweep =
        figures.curves().stream().filter(c -> c.title().endsWith(PublishedPlan.BOOKIE)).findFirst();
    Optional<Curve.Line> headpond = sweep.flatMap(c -> line(c, "headpond"));
    Optional<Curve.Line> disk = sweep.flatMap(c -> line(c, DISK));
    if (headpond.isEmpty() || disk.isEmpty()) {
      return NOT_MEASURED;
    }
    double limit = disk.get().y().stream().mapToDouble(y -> y).min().orElseThrow();
    double ours = highest(headpond.get(), limit);
    double theirs = highest(disk.get(), limit);
    return ours == 0
        ? "none of the rates kept the disk's lowest P99, " + Units.number(limit) + " ms"
        : String.format(
            "%s times: %s against %s MB/s at P99 ≤ %s ms",
            Units.number(ours / theirs),
            Units.number(ours),
            Units.number(theirs),
            Units.number(limit));
  }

  private static Optional<Curve.Line> line(Curve curve, String variant) {
    return curve.lines().stream().filter(l -> l.name().equals(variant)).findFirst();
  }

  private static double highest(Curve.Line line, double limit) {
    double best = 0;
    for (int i = 0; i < line.x().size(); i++) {
      best = line.y().get(i) <= limit ? Math.max(best, line.x().get(i)) : best;
    }
    return best;
  }
}
