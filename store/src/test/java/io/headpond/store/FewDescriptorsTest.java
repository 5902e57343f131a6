// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that has used up its file descriptors: {@link FewDescriptors}. */
final class FewDescriptorsTest {
  private static final int DESCRIPTORS = 250;

  @AutoClose private final StoreFixture fixture = StoreFixture.made();

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void whoHasNoDescriptorLeftIsToldSoAndLosesNothing(final String type) throws Exception {
    final Map<Integer, Integer> acknowledged = new HashMap<>();
    final List<String> refused = new ArrayList<>();
    for (final String line : run(type.equals("pmem"))) {
      final String[] words = line.split(" ");
      if (words[0].equals("A")) {
        acknowledged.put(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      } else if (words[0].equals("R")) {
        refused.add(line);
      }
    }
    assertThat(refused).hasSize(1);
    assertThat(refused.get(0))
        .contains("Too many open files")
        .containsPattern("/t-\\d+[/.]") // the segment's name, or its file in the tier
        .doesNotContain("NoSuchFile");
    assertThat(acknowledged).hasSizeGreaterThan(20);
    for (final Map.Entry<Integer, Integer> each : acknowledged.entrySet()) {
      final byte[] read =
          Files.readAllBytes(StoreFixture.segment(fixture.home.resolve("t-" + each.getKey()), 0));
      assertThat(read.length).isGreaterThanOrEqualTo(each.getValue());
      assertThat(Arrays.copyOf(read, each.getValue()))
          .isEqualTo(StoreFixture.bytes(each.getValue(), each.getKey()));
    }
    fixture.store();
    fixture.stop();
  }

  private List<String> run(final boolean mapped) throws Exception {
    final Path configuration = fixture.root.resolve("headpond.properties");
    try (Writer out = Files.newBufferedWriter(configuration)) {
      fixture.properties.store(out, null);
    }
    final Path said = fixture.root.resolve("said");
    final Path errors = fixture.root.resolve("errors");
    final Process child =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n $0; exec \"$@\"",
                Integer.toString(DESCRIPTORS),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dheadpond.internal.maps.memory=" + mapped,
                "-cp",
                System.getProperty("java.class.path"),
                FewDescriptors.class.getName(),
                configuration.toString())
            .redirectOutput(said.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      final List<String> lines = Files.readAllLines(said, StandardCharsets.UTF_8);
      assertThat(lines).as(Files.readString(errors)).endsWith("BYE");
      return lines;
    } finally {
      child.destroyForcibly().waitFor();
    }
  }
}
