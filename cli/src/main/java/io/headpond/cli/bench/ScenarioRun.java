// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.bench;

import io.headpond.bench.comparison.ComparedVariant;
import io.headpond.bench.comparison.Figure;
import io.headpond.bench.scenario.RigSettings;
import io.headpond.bench.scenario.Rigs;
import io.headpond.bench.scenario.ScenarioFigures;
import io.headpond.bench.scenario.Turns;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.Progress;
import io.headpond.cli.results.BenchRun;
import io.headpond.cli.results.FiguresCsv;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** One run of a scenario's command, from starting its engines to writing its results. */
final class ScenarioRun {

  private final CommandSpec spec;
  private final ScenarioOptions options;
  private final ScenarioEngine engine;
  private final BenchRun measured;
  private final PrintWriter out;
  private final Map<String, String> places = new TreeMap<>();
  private final Map<String, String> versions = new TreeMap<>();

  /** What is measured once the rigs are warm. */
  interface Scenario {
    void measure(Turns turns) throws IOException, InterruptedException;
  }

  /** Begins a run. */
  ScenarioRun(CommandSpec spec, ScenarioOptions options, ScenarioEngine engine) throws IOException {
    options.check(spec);
    this.spec = spec;
    this.options = options;
    this.engine = engine;
    this.measured = new BenchRun(spec);
    this.out = spec.commandLine().getOut();
  }

  /**
   * Measures, with rigs of their own for each number of journals, and writes what was asked for.
   *
   * @return the exit code
   */
  int run(List<Integer> journals, WarmUp warmUp, Scenario scenario)
      throws IOException, InterruptedException {
    try (Progress progress = new Progress(spec.commandLine().getErr())) {
      ScenarioScreen screen = new ScenarioScreen(out, progress);
      List<ComparedVariant> variants = variants();
      RigSettings settings = options.rigs(engine, out);
      versions.put(engine.name().toLowerCase(Locale.ROOT), settings.release().version());
      versions.put("engine's Java", "" + settings.java().feature());
      for (int number : journals) {
        if (!measure(settings, variants, number, warmUp, scenario, screen)) {
          return 1;
        }
      }
      screen.print(variants);
      write(screen);
    }
    return 0;
  }

  /** How rigs are warmed up. */
  interface WarmUp {
    void run(Turns turns) throws IOException, InterruptedException;
  }

  private List<ComparedVariant> variants() {
    try {
      return options.variants(engine);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private boolean measure(
      RigSettings settings,
      List<ComparedVariant> variants,
      int journals,
      WarmUp warmUp,
      Scenario scenario,
      ScenarioScreen screen)
      throws IOException, InterruptedException {
    try (Rigs rigs = rigs(settings, variants, journals, screen)) {
      screen.introduce(rigs);
      places.putAll(rigs.places());
      String kind = journals == 1 ? "" : ", " + journals + " journals";
      return new InterruptibleRun(rigs)
          .run(
              () -> {
                Turns turns = new Turns(rigs.start(), kind, screen);
                warmUp.run(turns);
                scenario.measure(turns);
              });
    }
  }

  private Rigs rigs(
      RigSettings settings, List<ComparedVariant> variants, int journals, ScenarioScreen screen)
      throws IOException {
    try {
      return engine.rigs(settings, variants, journals, screen::progress);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void write(ScenarioScreen screen) throws IOException {
    ScenarioFigures all = screen.figures();
    List<Figure> figures = all.figures(engine.headpond());
    if (options.json() != null) {
      Json.write(
          options.json(),
          measured.document(
              versions,
              figures,
              screen.othersShareMax(),
              new ScenarioResult(places, all.points(), all.searches(), all.curves(), List.of())));
    }
    if (options.csv() != null) {
      FiguresCsv.write(options.csv(), figures);
    }
  }
}
