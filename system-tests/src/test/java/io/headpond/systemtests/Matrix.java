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
import java.util.List;
import java.util.stream.Stream;

/**
 * Releases of engines that {@code .ci/matrix} fetched into the folder of {@code
 * -Dheadpond.matrix=DIR}, as {@code kafka-4.1.2}, each to be tried on every Java that is installed.
 * What passed becomes a line of its file {@code passed}.
 */
public final class Matrix {

  /** Releases before 4.1 call what Java 24 took away. */
  private static final int NEWEST_JAVA_OF_KAFKA_4_0 = 23;

  /** A release on a Java. */
  public record Pair(EngineRelease release, JavaHome java) {
    public String version() {
      return release.version();
    }

    private boolean possible(Engine engine) {
      return engine != Engine.KAFKA
          || release.isAtLeast(4, 1)
          || java.feature() <= NEWEST_JAVA_OF_KAFKA_4_0;
    }
  }

  private Matrix() {}

  /** True if this run is one of the matrix. */
  public static boolean asked() {
    return System.getProperty("headpond.matrix") != null;
  }

  /** What is to be tried of an engine, without pairs that run nowhere, with Headpond or not. */
  public static Stream<Pair> pairs(Engine engine) throws IOException {
    List<Pair> pairs = new ArrayList<>();
    try (Stream<Path> folders = Files.list(folder())) {
      for (Path each : folders.sorted().toList()) {
        if (each.getFileName().toString().startsWith(engine.id() + "-")) {
          EngineRelease release = engine.at(each);
          JavaHome.installed().forEach(java -> pairs.add(new Pair(release, java)));
        }
      }
    }
    return pairs.stream().filter(pair -> pair.possible(engine));
  }

  /** Notes that a life ended well; nothing outside a run of the matrix. */
  public static void passed(Engine engine, String version, JavaHome java) throws IOException {
    if (asked()) {
      Files.writeString(
          folder().resolve("passed"),
          engine.id() + " " + version + " " + java.feature() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  private static Path folder() {
    return Path.of(System.getProperty("headpond.matrix"));
  }
}
