// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The Java installations that child JVMs of tests run on.
 *
 * <p>{@code HEADPOND_TEST_JAVA_HOMES} lists them, colon separated; else every folder of {@code
 * /usr/lib/jvm} with Java 17 or later, and always the one that runs the test.
 *
 * @param home the folder that holds {@code bin/java}
 * @param version the feature version, such as 17
 */
record TestJdks(Path home, int version) {
  private static final int VERSION_MIN = 17;

  /** All of them, each once, whatever links lead there. */
  static List<TestJdks> all() {
    final Set<Path> homes = new LinkedHashSet<>();
    homes.add(real(Path.of(System.getProperty("java.home"))));
    final String listed = System.getenv("HEADPOND_TEST_JAVA_HOMES");
    if (listed != null && !listed.isBlank()) {
      Stream.of(listed.split(":")).map(Path::of).map(TestJdks::real).forEach(homes::add);
    } else if (Files.isDirectory(Path.of("/usr/lib/jvm"))) {
      try (Stream<Path> folders = Files.list(Path.of("/usr/lib/jvm"))) {
        folders
            .filter(f -> Files.isExecutable(f.resolve("bin/java")))
            .map(TestJdks::real)
            .forEach(homes::add);
      } catch (final IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    final List<TestJdks> jdks = new ArrayList<>();
    for (final Path home : homes) {
      final int version = version(home);
      if (version >= VERSION_MIN) {
        jdks.add(new TestJdks(home, version));
      }
    }
    return jdks;
  }

  private static Path real(final Path path) {
    try {
      return path.toRealPath();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From the {@code release} file that every Java installation has. */
  private static int version(final Path home) {
    final Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
      release.load(reader);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    return Runtime.Version.parse(release.getProperty("JAVA_VERSION").replace("\"", "")).feature();
  }

  @Override
  public String toString() {
    return "Java " + version;
  }
}
