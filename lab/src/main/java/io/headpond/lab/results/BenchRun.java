// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.ShellWords;
import io.headpond.cli.console.Version;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** One run of a benchmark, from its start to the document that says what was measured, and how. */
public final class BenchRun {
  /** Options for a result's place and an error's looks, which change no figure. */
  private static final Set<String> NO_SETTINGS =
      Set.of("json", "csv", "hdr", "debug", "help", "version");

  /** Options and parameters that name a directory on a measured device. */
  private static final Set<String> ON_DEVICES = Set.of("fast", "home", "dir");

  private final CommandSpec spec;
  private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Disturbance before;
  private final Map<String, Device> devices = new TreeMap<>();

  /** Begins a run of the benchmark that {@code spec} is the command of. */
  public BenchRun(CommandSpec spec) throws IOException {
    this.spec = spec;
    for (ArgSpec argument : spec.args()) {
      if (argument.getValue() instanceof Path path && ON_DEVICES.contains(name(argument))) {
        devices.put(name(argument), Device.detect(path));
      }
    }
    this.before = Disturbance.soFar();
  }

  /**
   * The document that {@code --json} writes; called once, when everything is measured.
   *
   * @throws IllegalStateException if a key of the benchmark's own is one that all have
   */
  public ObjectNode document(Measurement measured) throws IOException {
    Map<String, String> all = new TreeMap<>(measured.versions());
    all.put("java", Runtime.version().toString());
    ObjectNode document =
        Json.tree(
            new BenchResult(
                BenchResult.SCHEMA + spec.name() + "/" + BenchResult.VERSION,
                commandLine(),
                Version.number(),
                started.toString(),
                Duration.between(started, Instant.now()).toMillis() / 1e3,
                BenchMachine.here(),
                all,
                settings(),
                devices(),
                labels(measured),
                measured.figures(),
                List.of()));
    Json.tree(measured.details())
        .properties()
        .forEach(
            field -> {
              if (document.has(field.getKey())) {
                throw new IllegalStateException("two keys '" + field.getKey() + "'");
              }
              document.set(field.getKey(), field.getValue());
            });
    return document;
  }

  private String commandLine() {
    List<String> words = spec.root().commandLine().getParseResult().originalArgs();
    return spec.root().name() + " " + ShellWords.of(words);
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (ArgSpec argument : spec.args()) {
      String name = name(argument);
      List<String> given = argument.originalStringValues();
      String value = given.isEmpty() ? standard(argument) : String.join(",", given);
      if (!NO_SETTINGS.contains(name) && value != null) {
        settings.put(name, value);
      }
    }
    return settings;
  }

  /** Its default, which a mixin that serves several commands gets as an object; null: none. */
  private static String standard(ArgSpec argument) {
    Object initial = argument.initialValue();
    return argument.defaultValue() != null
            || initial == null
            || argument.type().isPrimitive()
            || initial instanceof Collection
        ? argument.defaultValue()
        : initial.toString();
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? option.longestName().substring(2)
        : argument.paramLabel().toLowerCase(Locale.ROOT);
  }

  private Map<String, String> devices() {
    Map<String, String> told = new TreeMap<>();
    devices.forEach((name, device) -> told.put(name, device.toString()));
    return told;
  }

  private List<Label> labels(Measurement measured) throws IOException {
    List<Label> labels = new ArrayList<>(measured.labels());
    for (Device device : devices.values()) {
      if (device.durability() != Durability.DURABLE) {
        labels.add(
            new Label(
                device.durability().name(), device.directory() + ": " + device.explanation()));
      }
      if (device.lacksJournal()) {
        labels.add(Label.noJournal(device.directory()));
      }
    }
    labels.addAll(Disturbance.soFar().labelsSince(before, measured.othersShareMax()));
    return labels;
  }
}
