// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An installed Java run time.
 *
 * @param path its {@code JAVA_HOME}
 * @param feature its feature release, as 17
 */
public record JavaHome(Path path, int feature) {

  /** The environment variable that lists the run times to test on, separated as in a class path. */
  public static final String TEST_JAVA_HOMES = "HEADPOND_TEST_JAVA_HOMES";

  private static final int OLDEST = 17;

  /** The one this JVM runs on. */
  public static JavaHome current() {
    return new JavaHome(Path.of(System.getProperty("java.home")), Runtime.version().feature());
  }

  /**
   * One run time of each feature release from 17 on, oldest first: those that {@value
   * #TEST_JAVA_HOMES} names, or else this JVM's own and those below {@code /usr/lib/jvm}.
   */
  public static List<JavaHome> installed() throws IOException {
    String named = System.getenv(TEST_JAVA_HOMES);
    TreeMap<Integer, JavaHome> byFeature = new TreeMap<>();
    for (Path candidate :
        named == null
            ? usual()
            : List.of(named.split(File.pathSeparator)).stream().map(Path::of).toList()) {
      int feature = featureOf(candidate);
      if (feature >= OLDEST) {
        byFeature.putIfAbsent(feature, new JavaHome(candidate, feature));
      } else if (named != null) {
        throw new IOException(
            TEST_JAVA_HOMES + " names " + candidate + ", which is no Java 17 or newer");
      }
    }
    return List.copyOf(byFeature.values());
  }

  /**
   * The run time whose {@code JAVA_HOME} is {@code path}; an error if there is none of 17 or newer.
   */
  public static JavaHome at(Path path) throws IOException {
    int feature = featureOf(path);
    if (feature < OLDEST) {
      throw new IOException(path + " is no Java 17 or newer; name a JAVA_HOME");
    }
    return new JavaHome(path.toRealPath(), feature);
  }

  /** Its {@code java} command. */
  public Path java() {
    return path.resolve("bin").resolve("java");
  }

  private static List<Path> usual() throws IOException {
    List<Path> homes = new ArrayList<>(List.of(current().path()));
    Path jvms = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(jvms)) {
      try (Stream<Path> entries = Files.list(jvms)) {
        entries.filter(p -> Files.isExecutable(p.resolve("bin/java"))).sorted().forEach(homes::add);
      }
    }
    return homes;
  }

  /** From the {@code release} file that every JDK and JRE has; 0 where there is none. */
  private static int featureOf(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isRegularFile(release)) {
      return 0;
    }
    String version =
        PropertiesFile.read(release).getProperty("JAVA_VERSION", "0").replace("\"", "");
    return Integer.parseInt(version.split("[.+-]")[0]);
  }

  @Override
  public String toString() {
    return "Java " + feature;
  }
}
