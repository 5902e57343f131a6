// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.Units;
import io.headpond.lab.comparison.Comparison;
import io.headpond.lab.comparison.TextTable;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.kafka.variant.VariantPlaces;
import io.headpond.lab.scenario.RigSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of {@code headpond-lab run kafka}. */
final class KafkaBenchTable {

  private final PrintWriter out;
  private final KafkaPlan plan;

  KafkaBenchTable(PrintWriter out, KafkaPlan plan) {
    this.out = out;
    this.plan = plan;
  }

  /** Prints what is going to be measured, and where. */
  void introduce(RigSettings rigs, VariantPlaces where) {
    out.printf(
        "Kafka %s on %s, %s; the load generator shares them%n",
        rigs.release().version(),
        rigs.java(),
        Units.count(Runtime.getRuntime().availableProcessors(), "processor"));
    out.print(TextTable.places(where.of(plan.variants()), where.fastIsVolatile()));
    out.printf(
        Locale.ROOT,
        "%s in turns, all brokers started afresh %s; %.1f s per phase after %.1f s of warm-up; %s, %s%n%n",
        Units.count(plan.runs(), "run"),
        Units.count(plan.starts() * plan.loads().size(), "time"),
        plan.seconds(),
        plan.warmUpSeconds(),
        Units.count(plan.partitions(), "partition"),
        Units.count(plan.producers(), "producer")
            + (plan.window() > 0
                ? ", " + Units.count(plan.window(), "record") + " waiting for answers"
                : ""));
    out.flush();
  }

  /** One finished run in one line. */
  static String line(KafkaTurn run) {
    List<String> parts = new ArrayList<>();
    latency(parts, "latency", run.latency());
    latency(parts, "rolling", run.roll());
    throughput(parts, "produce", run.produce());
    throughput(parts, "consume", run.consume());
    return String.format(
        Locale.ROOT,
        "round %d, %s, %s: %s",
        run.round(),
        text(run.load()),
        run.variant(),
        String.join("; ", parts));
  }

  private static void latency(List<String> parts, String name, KafkaTurn.Paced f) {
    if (f != null) {
      parts.add(
          String.format(
              Locale.ROOT,
              "%s P50 %.2f P99 %.2f P99.9 %.2f max %.2f ms%s",
              name,
              f.p50Us() / 1e3,
              f.p99Us() / 1e3,
              f.p999Us() / 1e3,
              f.maxUs() / 1e3,
              f.segments() > 0 ? " (" + Units.count(f.segments(), "roll") + ")" : ""));
    }
  }

  private static void throughput(List<String> parts, String name, KafkaTurn.FullSpeed f) {
    if (f != null) {
      parts.add(
          String.format(
              Locale.ROOT,
              "%s %,.0f records/s, %.0f MB/s",
              name,
              f.recordsPerSecond(),
              f.mbPerSecond()));
    }
  }

  /** The comparison, a table for each load. */
  void print(List<KafkaTurn> runs, List<Comparison<KafkaTurn.Load, Variant>> comparisons) {
    ComparisonTable<Variant> table = new ComparisonTable<>(out, plan.variants());
    for (KafkaTurn.Load load : plan.loads()) {
      out.printf(
          Locale.ROOT,
          "%n%s; latency at %,.0f records/s; %s%n",
          text(load),
          plan.rate(load),
          Units.count(plan.starts() * plan.rounds(), "round"));
      table.print(load, KafkaTurn.METRICS, comparisons);
      LeastTime.of(runs).stream()
          .filter(least -> least.load().equals(load))
          .forEach(least -> out.println(least.text()));
      int overflow =
          runs.stream()
              .filter(r -> r.load().equals(load))
              .mapToInt(KafkaTurn::overflowSegments)
              .sum();
      if (overflow > 0) {
        out.println(
            "NOT COMPARABLE: "
                + Units.count(overflow, "segment")
                + " overflowed, the tier was too small");
      }
    }
    table.warnOfNoise(runs.stream().mapToDouble(KafkaTurn::otherCpuShare).max().orElse(0));
    table.explain(
        "+ more is better, - less is better. Latency counts from when a record was due; CPU is user and"
            + " system time.");
  }

  static String text(KafkaTurn.Load load) {
    return String.format(
        "%s records, acks=%s, compression %s",
        load.recordBytes() % 1024 == 0
            ? load.recordBytes() / 1024 + " KiB"
            : load.recordBytes() + " B",
        load.acks(),
        load.compression());
  }
}
