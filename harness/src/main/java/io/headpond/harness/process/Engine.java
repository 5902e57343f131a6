// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An engine that Headpond plugs into, and where a release of it is found. */
public enum Engine {
  /** Apache Kafka. */
  KAFKA("Kafka", "4.4", "kafka_2\\.1\\d-(\\d+\\.\\d+\\.\\d+[^/]*)\\.jar", "libs"),
  /** Apache BookKeeper. */
  BOOKKEEPER(
      "BookKeeper",
      "4.18",
      "(?:org\\.apache\\.bookkeeper-)?bookkeeper-server-(\\d+\\.\\d+\\.\\d+[^/]*)\\.jar",
      "lib"),
  /** Apache Pulsar. */
  PULSAR(
      "Pulsar",
      "4.2",
      "(?:org\\.apache\\.pulsar-)?pulsar-broker-(\\d+\\.\\d+\\.\\d+[^/]*)\\.jar",
      "lib");

  private final String title;
  private final String current;
  private final Pattern serverJar;
  private final String libraries;

  /**
   * @param current first two numbers of the release that the demo and the benchmarks run
   * @param serverJar name of the jar that only this engine's server has; its group is the version
   * @param libraries folder of the jars in the engine's own archive
   */
  Engine(String title, String current, String serverJar, String libraries) {
    this.title = title;
    this.current = current;
    this.serverJar = Pattern.compile(serverJar);
    this.libraries = libraries;
  }

  /** As its project writes it. */
  public String title() {
    return title;
  }

  /** As a folder or a property names it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The folder below {@code engines} that fetches this release, as {@code pulsar-4.2}. */
  public String module() {
    return id() + "-" + current;
  }

  /** The release that the demo and the benchmarks run, found as {@link #find} does. */
  public EngineRelease current() throws IOException {
    return find(current);
  }

  /**
   * Finds a release by its first two numbers, as {@code 4.3}: in the folder that the system
   * property {@code headpond.kafka.4.4} names, beside Headpond's own jars ({@code kafka-4.4}, as in
   * the distribution archive), or in the source tree's {@code engines/kafka-4.4/target/jars}.
   */
  public EngineRelease find(String release) throws IOException {
    String property = "headpond." + id() + "." + release;
    String named = System.getProperty(property);
    if (named != null) {
      return at(Path.of(named));
    }
    String module = id() + "-" + release;
    List<Path> tried = new ArrayList<>();
    for (Path folder = OwnJar.location(Engine.class); folder != null; folder = folder.getParent()) {
      for (String place : List.of(module, "engines/" + module + "/target/jars")) {
        Path candidate = folder.resolve(place);
        if (version(candidate) != null) {
          return at(candidate);
        }
        tried.add(candidate);
      }
    }
    throw new IOException(
        String.format(
            "no %s %s found; build it in a source tree with './mvnw -pl engines/%s -am"
                + " generate-resources' or name an installation by -D%s=DIR. Looked in: %s",
            title, release, module, property, tried));
  }

  /**
   * The release whose jars lie in {@code folder}, or in its folder of libraries as in the engine's
   * own archive.
   */
  public EngineRelease at(Path folder) throws IOException {
    Path own = folder.resolve(libraries);
    Path jars = Files.isDirectory(own) ? own : folder;
    String version = version(jars);
    if (version == null) {
      throw new IOException("no jar of a " + title + " server in " + jars);
    }
    try (Stream<Path> files = Files.list(jars)) {
      return new EngineRelease(
          version,
          files
              .filter(p -> p.toString().endsWith(".jar"))
              .sorted()
              .map(Path::toAbsolutePath)
              .toList());
    }
  }

  private String version(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return null;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(p -> serverJar.matcher(p.getFileName().toString()))
          .filter(Matcher::matches)
          .map(m -> m.group(1))
          .findFirst()
          .orElse(null);
    }
  }
}
