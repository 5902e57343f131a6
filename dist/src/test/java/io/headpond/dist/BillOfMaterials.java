// SPDX-License-Identifier: Apache-2.0
package io.headpond.dist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The CycloneDX documents of an archive: what it bundles, as the build resolved it. */
final class BillOfMaterials {

  /**
   * A library.
   *
   * @param name its artifact's
   * @param sha256 of its jar, hexadecimal
   * @param licences identifiers of SPDX or, where it has none that is known, names
   */
  record Component(String name, String version, String sha256, List<String> licences) {
    String jar() {
      return name + "-" + version;
    }
  }

  private final Map<String, Component> byJar = new TreeMap<>();

  /** Reads every document in {@code folder}. */
  static BillOfMaterials read(Path folder) throws IOException {
    BillOfMaterials bill = new BillOfMaterials();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        bill.add(new ObjectMapper().readTree(Files.readAllBytes(file)));
      }
    }
    return bill;
  }

  private void add(JsonNode document) {
    for (JsonNode each : document.withArray("/components")) {
      Component component =
          new Component(
              each.get("name").asText(),
              each.get("version").asText(),
              sha256(each),
              licences(each.path("licenses")));
      byJar.merge(component.jar(), component, (one, other) -> one);
    }
  }

  private static String sha256(JsonNode component) {
    for (JsonNode hash : component.path("hashes")) {
      if (hash.get("alg").asText().equals("SHA-256")) {
        return hash.get("content").asText();
      }
    }
    return "";
  }

  private static List<String> licences(JsonNode declared) {
    TreeSet<String> licences = new TreeSet<>();
    for (JsonNode each : declared) {
      JsonNode licence = each.path("license");
      String named = licence.path("id").asText(licence.path("name").asText());
      licences.add(each.path("expression").asText(named));
    }
    return List.copyOf(licences);
  }

  /** The component whose jar has this name, which may have a classifier; null if none is listed. */
  Component of(Path jar) {
    String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
    Component found = byJar.get(name);
    for (Component each : byJar.values()) {
      if (found == null && name.startsWith(each.jar() + "-")) {
        found = each;
      }
    }
    return found;
  }
}
