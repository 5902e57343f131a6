// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario's command as short as it gets, which leaves no file and no process behind.
 *
 * @param json what {@code --json} has
 */
public record ShortBench(JsonNode json) {

  /** Runs {@code headpond-lab run name}, in folders of its own. */
  public static ShortBench of(String name, Object... arguments) throws Exception {
    try (Workspace workspace = Workspace.create("bench-" + name)) {
      Path fast = workspace.tier("fast");
      Path home = workspace.folder("home");
      Path json = workspace.folder("out").resolve("bench.json");
      List<Object> all = new ArrayList<>(List.of("run", name, "--rounds", 1));
      all.addAll(List.of(arguments));
      if (!name.equals("failure")) {
        all.addAll(List.of("--warm-up-seconds", 1));
      }
      if (!List.of("steady", "failure").contains(name)) {
        all.addAll(List.of("--seconds", 1));
      }
      Path hdr = workspace.folder("hdr");
      all.addAll(List.of("--fast", fast, "--home", home, "--json", json, "--hdr", hdr));
      StringWriter text = new StringWriter();
      assertThat(Command.lab(text, all.toArray())).as(text.toString()).isZero();
      assertThat(fast).isEmptyDirectory();
      assertThat(home).isEmptyDirectory();
      Await.until(
          "no process is left",
          () -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
      return new ShortBench(new ObjectMapper().readTree(Files.readString(json)));
    }
  }

  /** A node of the result by its JSON pointer. */
  public JsonNode at(String pointer) {
    return json.at(pointer);
  }

  /** The figure of a load whose name begins so. */
  public JsonNode figure(String load, String metric, String variant) {
    for (JsonNode figure : json.get("figures")) {
      if (figure.get("load").asText().startsWith(load)
          && figure.get("metric").asText().equals(metric)
          && figure.get("variant").asText().equals(variant)) {
        return figure;
      }
    }
    throw new AssertionError(load + ", " + metric + ", " + variant + " isn't in " + json);
  }

  /** What a figure was in the only round. */
  public double value(String load, String metric, String variant) {
    return figure(load, metric, variant).at("/values/0").asDouble();
  }
}
