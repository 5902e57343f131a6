// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.comparison.ComparedVariant;
import io.headpond.bench.comparison.Comparison;
import io.headpond.bench.comparison.Curve;
import io.headpond.bench.scenario.ScenarioFigures;
import io.headpond.cli.console.Units;
import io.headpond.cli.results.SeedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the systems that Headpond implements published, beside what {@code bench seeds} measured.
 */
final class SeedTable {

  private static final String NOT_MEASURED = "not measured in this run";

  /** Whose figures seed A published. */
  static final String DISK = "default-disk";

  /** The broker that forces every message, as seed B's did. */
  static final String FORCED = "vanilla-forced";

  private final ScenarioFigures figures;
  private final List<Comparison<String, ComparedVariant>> points;
  private final List<Comparison<String, ComparedVariant>> searches;
  private final String device;
  private final boolean quick;

  /**
   * @param memory whether memory stands in for persistent memory
   * @param quick whether it was {@code --quick}
   */
  SeedTable(ScenarioFigures figures, boolean memory, boolean quick) {
    this.figures = figures;
    this.points = figures.pointComparisons();
    this.searches = figures.searchComparisons();
    this.quick = quick;
    this.device =
        (memory ? "Memory stands in for persistent memory. " : "")
            + "One engine instead of a cluster; the load generator shares "
            + Units.count(Runtime.getRuntime().availableProcessors(), "processor")
            + " with it";
  }

  /** In the order of the systems. */
  List<SeedRow> rows() {
    List<SeedRow> rows = new ArrayList<>();
    white(rows);
    pulsar(rows);
    large(rows);
    tiered(rows);
    return rows;
  }

  /** Seed A. */
  private void white(List<SeedRow> rows) {
    String paper = "A, Intel and StreamNative";
    rows.add(
        row(
            paper,
            "lowest P99 of a bookie against its journal on the disk, forced",
            "0.44 times (1 module), 0.45 times (4): 0.655 ms and 0.666 ms against 1.475 ms on NVMe",
            find(points, "latency_p99", DISK, load -> load.endsWith(SeedPlan.BOOKIE)),
            device));
    rows.add(
        new SeedRow(
            paper,
            "throughput at the disk's lowest P99",
            "21 times (1 module), 64 times (4): 4,202 and 12,716 MB/s against 196 MB/s",
            atTheDisksLatency(),
            device + ". The rates are those of the sweep, not searched for."));
    for (int journals : new int[] {1, 4}) {
      for (int bytes : new int[] {1024, 4096}) {
        String load = bytes / 1024 + " KiB messages";
        String modules = journals == 1 ? "1 module" : "4 modules";
        Predicate<String> same = l -> l.startsWith(load) && l.endsWith(SeedPlan.bookie(journals));
        rows.add(
            row(
                paper,
                "highest throughput, " + load + ", " + Units.count(journals, "journal"),
                highest(journals, bytes) + " times (" + modules + ")",
                find(points, "messages", DISK, same.and(l -> l.contains("full speed"))),
                device + fourOnOne(journals)));
        rows.add(
            row(
                paper,
                "highest within P99 < 5 ms, " + load + ", " + Units.count(journals, "journal"),
                within(journals, bytes) + " times (" + modules + ")",
                find(searches, "limited_messages", DISK, same),
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

  /** Seed B. */
  private void pulsar(List<SeedRow> rows) {
    rows.add(
        row(
            "B, Verizon Media",
            "throughput within P99 < 5 ms, every message durable: a broker against one that forces"
                + " each append to disk",
            "3 times an SSD, 5 times a disk: 600 MB/s against 350 (NVMe), 200 (SSD), 120 (HDD)",
            find(searches, "limited_bytes", FORCED, load -> load.endsWith(SeedPlan.BROKER)),
            device + (quick ? ". No backlog drains meanwhile." : "")));
    rows.add(
        new SeedRow(
            "B, Verizon Media",
            "publish latency while a backlog is read and while a bookie fails",
            "unaffected",
            NOT_MEASURED + "; headpond bench ledgers measures the first",
            device));
  }

  /** Seed C. */
  private void large(List<SeedRow> rows) {
    for (int producers : new int[] {1, 30}) {
      String many = Units.count(producers, "producer");
      for (String rival : List.of("vanilla-disk", FORCED)) {
        rows.add(
            row(
                "C, ingestion congestion",
                "messages of 240 KB, " + many + ", against " + rival,
                producers == 1
                    ? "about 5 times SATA, 2.5 times NVMe"
                    : "12 to 15 times SATA at 25 to 30 producers",
                find(
                    points,
                    "bytes",
                    rival,
                    load -> load.startsWith("240000 B") && load.contains(", " + many + ",")),
                device
                    + (rival.equals(FORCED)
                        ? ""
                        : ". Nothing is forced on disk: for seconds the page cache takes it, and"
                            + " hides a disk that is slower.")));
      }
    }
  }

  /** Seed D. */
  private void tiered(List<SeedRow> rows) {
    rows.add(
        new SeedRow(
            "D, Pafka",
            "bursts over a slow home; steady load with retention of 1, 1.5 and 2 times the tier",
            "bursts of 8 GB/s for a minute over 500 MB/s; 6 GB/s at 1 times, 1 to 2 times the disk beyond",
            NOT_MEASURED + "; headpond bench migration measures how long a burst lasts",
            device));
  }

  private SeedRow row(
      String seed,
      String experiment,
      String published,
      Optional<Comparison<String, ComparedVariant>> rival,
      String limits) {
    return new SeedRow(
        seed, experiment, published, rival.map(this::words).orElse(NOT_MEASURED), limits);
  }

  /** The first of a rival's comparisons: of a sweep the lowest rate's. */
  private static Optional<Comparison<String, ComparedVariant>> find(
      List<Comparison<String, ComparedVariant>> all,
      String metric,
      String rival,
      Predicate<String> load) {
    return all.stream()
        .filter(c -> c.metric().equals(metric) && c.variant().key().equals(rival))
        .filter(c -> load.test(c.load()))
        .findFirst();
  }

  private String words(Comparison<String, ComparedVariant> rival) {
    double theirs = rival.value().median();
    double ours =
        find(all(rival), rival.metric(), "headpond", rival.load()::equals)
            .orElseThrow()
            .value()
            .median();
    if (rival.headpondRatio() == null) {
      return String.format(
          "no ratio: %s against %s %s", Units.number(ours), Units.number(theirs), rival.unit());
    }
    return String.format(
        "%s times (%s – %s): %s against %s %s",
        Units.number(rival.headpondRatio().median()),
        Units.number(rival.headpondRatio().min()),
        Units.number(rival.headpondRatio().max()),
        Units.number(ours),
        Units.number(theirs),
        rival.unit());
  }

  private List<Comparison<String, ComparedVariant>> all(Comparison<String, ComparedVariant> of) {
    return searches.contains(of) ? searches : points;
  }

  /** Of the sweep: what either took while its P99 was no more than the disk's lowest. */
  private String atTheDisksLatency() {
    Optional<Curve> sweep =
        figures.curves().stream().filter(c -> c.title().endsWith(SeedPlan.BOOKIE)).findFirst();
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
