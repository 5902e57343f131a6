// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The part of a benchmark's JSON that all benchmarks have; docs/bench-json.md describes it.
 *
 * @param schema {@code headpond-bench-NAME/VERSION}
 * @param command to repeat it
 * @param headpond version that measured
 * @param started date and time, ISO 8601
 * @param durationSeconds of the whole command
 * @param versions of what was measured and of the Java that measured
 * @param settings each option's name and value, defaults too
 * @param devices by option, what lies below it and what a power cut does to it
 * @param labels what must be said wherever a figure is shown
 * @param curves for charts; empty where there are none
 */
public record BenchResult(
    String schema,
    String command,
    String headpond,
    String started,
    double durationSeconds,
    BenchMachine machine,
    Map<String, String> versions,
    Map<String, String> settings,
    Map<String, String> devices,
    List<Label> labels,
    List<Figure> figures,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Curve> curves) {

  static final String SCHEMA = "headpond-bench-";
  static final int VERSION = 1;
  static final long FILE_BYTES_MAX = 64L << 20;

  private static final Pattern SCHEMAS = Pattern.compile(SCHEMA + "([a-z]+)/(\\d{1,9})");

  /** Refuses a document in which anything but curves is missing. */
  public BenchResult {
    curves = curves == null ? List.of() : List.copyOf(curves);
    Stream.of(
            schema, command, headpond, started, machine, versions, settings, devices, labels,
            figures)
        .forEach(part -> Objects.requireNonNull(part, "a key that all results have is missing"));
  }

  /** The benchmark: kafka, journal ... */
  String bench() {
    Matcher matcher = SCHEMAS.matcher(schema);
    if (!matcher.matches()) {
      throw new IllegalStateException("not a benchmark's schema: " + schema);
    }
    return matcher.group(1);
  }

  /** Reads a file that {@code headpond-lab ... --json} wrote. */
  static BenchResult read(Path file) throws IOException {
    long bytes = Files.size(file);
    if (bytes > FILE_BYTES_MAX) {
      throw foreign(file, "has " + bytes + " bytes, and a result at most " + FILE_BYTES_MAX);
    }
    try {
      JsonNode root = Json.read(file);
      Matcher schema = SCHEMAS.matcher(root.path("schema").asText());
      if (!schema.matches()) {
        throw foreign(file, "has no schema " + SCHEMA + "NAME/" + VERSION);
      }
      if (Integer.parseInt(schema.group(2)) != VERSION) {
        throw new CommandFailure(
            file + ": its schema is " + schema.group() + ", and this Headpond reads /" + VERSION,
            "use the Headpond that wrote it");
      }
      return Json.value(root, BenchResult.class);
    } catch (IllegalArgumentException e) {
      throw foreign(file, "is damaged: " + e.getMessage());
    }
  }

  private static CommandFailure foreign(Path file, String why) {
    return new CommandFailure(
        file + ": " + why, "name a file that headpond-lab wrote by --json, or measure again");
  }
}
