// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Releases of engines that {@code .ci/matrix} fetched into the folder of {@code
 * -Dheadpond.matrix=DIR}, as {@code kafka-4.1.2}, each to be tried on every Java that is installed,
 * in every place that the folder's file {@code places.list} names. What passed, and what runs
 * nowhere, becomes a line of its file {@code outcomes}.
 */
public final class Matrix {

  /** Releases before 4.1 call what Java 24 took away. */
  public static final int NEWEST_JAVA_OF_KAFKA_4_0 = 23;

  /** The release with long-term support; its client and broker aren't made for later Javas. */
  public static final int NEWEST_JAVA_OF_PULSAR_4_0 = 21;

  /**
   * Where the tier or the journal lies, and how it is written.
   *
   * @param fileSystem as a reader knows it, {@code ext4}
   * @param kind how the tier or the journal is written, as the page names it
   * @param parent folder of the tests' tiers; null: in memory, as outside a run of the matrix
   * @param settings keys of the engine's configuration; an empty value takes the key out
   */
  public record Place(String fileSystem, String kind, Path parent, Map<String, String> settings) {

    public Place {
      settings = Map.copyOf(settings);
    }

    /** What a test has by default. */
    public static Place usual() {
      return new Place("tmpfs", "default", null, Map.of());
    }

    /** The test's folders, with its tiers in this place. */
    public Workspace workspace(String name) throws IOException {
      return parent == null ? Workspace.create(name) : Workspace.create(name, parent);
    }

    /**
     * A line of {@code places.list}: engine, file system, kind, folder, settings, divided by tabs.
     */
    private static Place parse(String[] fields) {
      Map<String, String> settings = new LinkedHashMap<>();
      for (int i = 4; i < fields.length; i++) {
        String[] pair = fields[i].split("=", 2);
        settings.put(pair[0], pair[1]);
      }
      return new Place(fields[1], fields[2], Path.of(fields[3]), settings);
    }

    @Override
    public String toString() {
      return fileSystem + ", " + kind;
    }
  }

  /** A release on a Java, in a place. */
  public record Run(EngineRelease release, JavaHome java, Place place) {
    public String version() {
      return release.version();
    }

    /** The newest Java that the release is made for; the greatest number where none is too new. */
    private int newestJava(Engine engine) {
      if (engine == Engine.KAFKA && !release.isAtLeast(4, 1)) {
        return NEWEST_JAVA_OF_KAFKA_4_0;
      }
      if (engine == Engine.PULSAR && !release.isAtLeast(4, 1)) {
        return NEWEST_JAVA_OF_PULSAR_4_0;
      }
      return Integer.MAX_VALUE;
    }
  }

  private Matrix() {}

  /** True if this run is one of the matrix. */
  public static boolean asked() {
    return System.getProperty("headpond.matrix") != null;
  }

  /** What is to be tried of an engine, without what runs nowhere, with Headpond or not. */
  public static Stream<Run> runs(Engine engine) throws IOException {
    List<Run> runs = new ArrayList<>();
    try (Stream<Path> folders = Files.list(folder())) {
      for (Path each : folders.sorted().toList()) {
        if (each.getFileName().toString().startsWith(engine.id() + "-")) {
          EngineRelease release = engine.at(each);
          for (JavaHome java : JavaHome.installed()) {
            places(engine).forEach(place -> runs.add(new Run(release, java, place)));
          }
        }
      }
    }
    List<Run> possible = new ArrayList<>();
    for (Run run : runs) {
      int newest = run.newestJava(engine);
      if (run.java().feature() <= newest) {
        possible.add(run);
      } else {
        note(
            engine,
            run.version(),
            run.java(),
            run.place(),
            "not tried: this " + engine.title() + " is for Java " + newest + " at most");
      }
    }
    return possible.stream();
  }

  /** Notes that a life of a test ended well; nothing outside a run of the matrix. */
  public static void passed(
      Engine engine, String version, JavaHome java, Place place, Class<?> test) throws IOException {
    if (asked()) {
      note(engine, version, java, place, "passed " + test.getSimpleName());
    }
  }

  private static void note(
      Engine engine, String version, JavaHome java, Place place, String outcome)
      throws IOException {
    Files.writeString(
        folder().resolve("outcomes"),
        String.join(
                "\t",
                engine.id(),
                version,
                Integer.toString(java.feature()),
                place.fileSystem(),
                place.kind(),
                outcome)
            + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static List<Place> places(Engine engine) throws IOException {
    return Files.readAllLines(folder().resolve("places.list")).stream()
        .map(line -> line.split("\t"))
        .filter(fields -> fields[0].equals(engine.id()))
        .map(Place::parse)
        .toList();
  }

  private static Path folder() {
    return Path.of(System.getProperty("headpond.matrix"));
  }
}
