// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.Units;
import io.headpond.cli.console.WrongUsage;
import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.hosts.HostReport;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.rig.KafkaTier;
import io.headpond.lab.results.BenchRun;
import io.headpond.lab.results.Label;
import io.headpond.lab.results.Measurement;
import io.headpond.lab.scenario.PointTurn;
import io.headpond.lab.scenario.RigSettings;
import io.headpond.lab.scenario.Rigs;
import io.headpond.lab.scenario.ScenarioFigures;
import io.headpond.lab.scenario.SearchTurn;
import io.headpond.lab.scenario.Turns;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** One run of a scenario's command, from starting its engines to writing its results. */
final class ScenarioRun {

  private final CommandSpec spec;
  private final RunPlace place;
  private final BenchRun measured;
  private final PrintWriter out;
  private final Map<String, String> places = new TreeMap<>();
  private final Map<String, String> versions = new TreeMap<>();

  /**
   * Its own part of the JSON.
   *
   * @param places by variant, where it wrote
   * @param points every turn of a point, in the order measured
   * @param searches every turn of a search with its steps
   * @param hosts that made the load, in the order given; empty: the command did
   */
  record Details(
      Map<String, String> places,
      List<PointTurn> points,
      List<SearchTurn> searches,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Curve> curves,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<HostReport> hosts) {}

  /** Begins a run. */
  ScenarioRun(CommandSpec spec, RunPlace place) throws IOException {
    this.spec = spec;
    this.place = place;
    this.measured = new BenchRun(spec);
    this.out = spec.commandLine().getOut();
  }

  /**
   * Measures one engine, with bookies of their own for each number of journals, and writes what was
   * asked for.
   *
   * @param tier of Headpond's brokers
   * @param hosts that make the load, not yet connected; null: this process does
   * @return the exit code; 1 too if a host failed
   */
  static int of(
      CommandSpec spec,
      ScenarioOptions options,
      ScenarioEngine engine,
      List<Integer> journals,
      KafkaTier tier,
      LoadHosts hosts,
      ScenarioStage.Work work)
      throws IOException, InterruptedException {
    options.check(spec);
    List<ComparedVariant> variants = WrongUsage.unless(spec, () -> options.variants(engine));
    return options
        .place()
        .run(spec, () -> measure(spec, options, engine, variants, journals, tier, hosts, work));
  }

  private static int measure(
      CommandSpec spec,
      ScenarioOptions options,
      ScenarioEngine engine,
      List<ComparedVariant> variants,
      List<Integer> journals,
      KafkaTier tier,
      LoadHosts hosts,
      ScenarioStage.Work work)
      throws IOException, InterruptedException {
    ScenarioRun run = new ScenarioRun(spec, options.place());
    EngineRelease release = options.release(engine, run.out);
    List<ScenarioStage> stages = new ArrayList<>();
    for (int number : journals) {
      String kind = number == 1 ? "" : ", " + number + " journals";
      String from = hosts == null ? "" : ", from " + Units.count(hosts.size(), "host");
      stages.add(
          new ScenarioStage(engine, release, variants, number, tier, kind + from, hosts, work));
    }
    boolean measured = run.measure(stages);
    return measured && (hosts == null || hosts.failures().isEmpty()) ? 0 : 1;
  }

  /**
   * Measures one stage after the other, and writes what was asked for.
   *
   * @param more labels of the result
   * @return false if it was interrupted
   */
  boolean measure(List<ScenarioStage> stages, Label... more)
      throws IOException, InterruptedException {
    try (Progress progress = new Progress(spec.commandLine().getErr())) {
      ScenarioScreen screen = new ScenarioScreen(out, progress);
      for (ScenarioStage stage : stages) {
        if (!measure(stage, screen)) {
          return false;
        }
      }
      List<LoadHosts> hosts = stages.stream().map(ScenarioStage::hosts).toList();
      List<Label> known = new ArrayList<>(incomplete(hosts));
      known.addAll(List.of(more));
      place.measureHome();
      screen.printTables(Stream.concat(place.labels().stream(), known.stream()).toList());
      List<HostReport> reports = reports(hosts);
      screen.printHosts(reports);
      ScenarioFigures all = screen.figures();
      List<Label> labels = new ArrayList<>(screen.labels());
      labels.addAll(known);
      place.write(
          measured,
          new Measurement(
              versions,
              all.figures(),
              all.histograms(),
              screen.othersShareMax(),
              new Details(places, all.points(), all.searches(), all.curves(), reports),
              labels));
      return true;
    }
  }

  /** A host that failed is named wherever a figure is shown. */
  private static List<Label> incomplete(List<LoadHosts> stages) {
    return stages.stream()
        .filter(Objects::nonNull)
        .flatMap(hosts -> hosts.failures().stream())
        .map(failure -> new Label("INCOMPLETE", failure))
        .toList();
  }

  private static List<HostReport> reports(List<LoadHosts> stages) {
    return stages.stream()
        .filter(Objects::nonNull)
        .flatMap(hosts -> hosts.reports().stream())
        .toList();
  }

  private boolean measure(ScenarioStage stage, ScenarioScreen screen)
      throws IOException, InterruptedException {
    RigSettings settings = place.rigs(stage.release(), 0);
    String engine = stage.engine().name().toLowerCase(Locale.ROOT);
    versions.put(engine, stage.release().version());
    versions.put("engine's Java", "" + settings.java().feature());
    try (Rigs rigs = stage.engine().rigs(settings, stage, screen::progress)) {
      screen.introduce(rigs, stage.hosts(), place.fastIsVolatile());
      rigs.places().forEach((variant, where) -> places.put(engine + ", " + variant, where));
      return new InterruptibleRun(rigs)
          .run(
              () -> {
                Turns turns = new Turns(rigs.start(), stage.kind(), screen);
                if (stage.hosts() != null) {
                  screen.introduce(stage.hosts());
                }
                stage.work().run(turns);
              });
    }
  }
}
