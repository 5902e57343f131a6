// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.console.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The version in the names of jars, archives and images, in the pages and in {@code examples/}.
 * {@code -Dheadpond.docs.write=true} writes the current one there.
 */
class CurrentVersionTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NAMED =
      Pattern.compile("headpond(?:, tag: )?[^\\s/]*?-(?<version>\\d+\\.\\d+\\.\\d+)");

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    for (String folder : List.of("docs", "results", "examples")) {
      try (Stream<Path> below = Files.walk(ROOT.resolve(folder))) {
        below
            .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(".png"))
            .forEach(files::add);
      }
    }
    return files;
  }

  /** {@code text} with {@code version} in place of each version that it names. */
  private static String with(String version, String text) {
    Matcher matcher = NAMED.matcher(text);
    StringBuilder changed = new StringBuilder();
    int end = 0;
    while (matcher.find()) {
      changed.append(text, end, matcher.start("version")).append(version);
      end = matcher.end("version");
    }
    return changed.append(text.substring(end)).toString();
  }

  @Test
  void pagesAndExamplesNameTheCurrentVersion() throws IOException {
    int named = 0;
    for (Path file : files()) {
      String text = Files.readString(file);
      String current = with(Version.number(), text);
      if (Boolean.getBoolean("headpond.docs.write") && !text.equals(current)) {
        Files.writeString(file, current);
        text = current;
      }
      named += NAMED.matcher(text).find() ? 1 : 0;
      assertThat(text)
          .as("run this test with -Dheadpond.docs.write=true to bring %s up to date", file)
          .isEqualTo(current);
    }
    assertThat(named).isGreaterThan(8);
  }

  @Test
  void jarsArchivesAndImagesAreFoundInAText() {
    assertThat(with("9.8.7", "lib/headpond-nio-1.2.3.jar:headpond-lab-1.2.3.tar.gz"))
        .isEqualTo("lib/headpond-nio-9.8.7.jar:headpond-lab-9.8.7.tar.gz");
    assertThat(with("9.8.7", "headpond-{bookkeeper,pmem}-1.2.3.jar"))
        .isEqualTo("headpond-{bookkeeper,pmem}-9.8.7.jar");
    assertThat(with("9.8.7", "kafka-headpond:4.3.0-1.2.3 {pulsar-headpond, tag: 4.2.4-1.2.3}"))
        .isEqualTo("kafka-headpond:4.3.0-9.8.7 {pulsar-headpond, tag: 4.2.4-9.8.7}");
    assertThat(with("9.8.7", "headpond-NEW/lib, Kafka 4.3.1")).endsWith("Kafka 4.3.1");
  }
}
