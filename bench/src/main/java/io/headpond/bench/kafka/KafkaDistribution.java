// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of one unmodified Kafka release.
 *
 * @param version full version, taken from the name of the server's jar, as {@code 4.3.1}
 * @param jars every jar of its class path
 */
public record KafkaDistribution(String version, List<Path> jars) {

  /** The release that the demo and the benchmarks run. */
  public static final String CURRENT = "4.3";

  private static final Pattern SERVER_JAR =
      Pattern.compile("kafka_2\\.1\\d-(\\d+\\.\\d+\\.\\d+[^/]*)\\.jar");

  public KafkaDistribution {
    jars = List.copyOf(jars);
  }

  /**
   * Finds a release by its first two numbers, as {@code 4.3}: in the folder that the system
   * property {@code headpond.kafka.4.3} names, beside Headpond's own jars ({@code kafka-4.3}, as in
   * the distribution archive), or in the source tree's {@code engines/kafka-4.3/target/jars}.
   */
  public static KafkaDistribution find(String release) throws IOException {
    String property = "headpond.kafka." + release;
    String named = System.getProperty(property);
    if (named != null) {
      return at(Path.of(named));
    }
    List<Path> tried = new ArrayList<>();
    for (Path folder = ownLocation(); folder != null; folder = folder.getParent()) {
      for (String place :
          List.of("kafka-" + release, "engines/kafka-" + release + "/target/jars")) {
        Path candidate = folder.resolve(place);
        if (serverVersion(candidate) != null) {
          return at(candidate);
        }
        tried.add(candidate);
      }
    }
    throw new IOException(
        "no Kafka "
            + release
            + " found; build it with './mvnw -pl engines/kafka-"
            + release
            + " -am generate-resources' or name a Kafka installation by -D"
            + property
            + "=DIR. Looked in: "
            + tried);
  }

  /**
   * The release whose jars lie in {@code folder}, or in its {@code libs} as in Kafka's own archive.
   */
  public static KafkaDistribution at(Path folder) throws IOException {
    Path libs = Files.isDirectory(folder.resolve("libs")) ? folder.resolve("libs") : folder;
    String version = serverVersion(libs);
    if (version == null) {
      throw new IOException("no jar of a Kafka server (kafka_2.13-VERSION.jar) in " + libs);
    }
    try (Stream<Path> files = Files.list(libs)) {
      return new KafkaDistribution(
          version, files.filter(p -> p.toString().endsWith(".jar")).sorted().toList());
    }
  }

  /** The jars joined for {@code -cp}. */
  public String classPath() {
    return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Whether this is {@code major.minor} or newer. */
  public boolean isAtLeast(int major, int minor) {
    String[] numbers = version.split("[.-]");
    int ownMajor = Integer.parseInt(numbers[0]);
    return ownMajor > major || ownMajor == major && Integer.parseInt(numbers[1]) >= minor;
  }

  private static String serverVersion(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return null;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(p -> SERVER_JAR.matcher(p.getFileName().toString()))
          .filter(Matcher::matches)
          .map(m -> m.group(1))
          .findFirst()
          .orElse(null);
    }
  }

  private static Path ownLocation() throws IOException {
    try {
      return Path.of(
          KafkaDistribution.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the location of Headpond's own jar isn't a file name", e);
    }
  }
}
