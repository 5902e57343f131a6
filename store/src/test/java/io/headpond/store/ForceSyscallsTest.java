// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel is asked to force between two acknowledged appends, seen by strace. */
@EnabledIf("straceWorks")
final class ForceSyscallsTest {
  private static final int APPENDS = 40;

  private StoreFixture fixture;

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
  }

  @AfterEach
  void removeDirectories() throws Exception {
    fixture.close();
  }

  static boolean straceWorks() {
    try {
      return run(List.of("strace", "-f", "-o", "/dev/null", "true")) == 0;
    } catch (final IOException | InterruptedException notInstalled) {
      return false;
    }
  }

  private static int run(final List<String> command) throws IOException, InterruptedException {
    final Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor();
  }

  /** For each append, the forces between the acknowledgement before it and its own. */
  private List<Integer> forcesOfEachAppend(final String kind, final String durability)
      throws Exception {
    final Path disk = Files.createDirectory(fixture.root.resolve("disk"));
    fixture
        .with("headpond.tier.pmem.type", kind.equals("home") ? "pmem" : kind)
        .with("headpond.tier.pmem.paths", disk.toString())
        .with("headpond.tier.pmem.capacity", kind.equals("home") ? "1B" : "64MiB")
        .with("headpond.persist", "msync")
        .with("headpond.durability", durability);
    final Path config = fixture.root.resolve("headpond.properties");
    try (var writer = Files.newBufferedWriter(config, StandardCharsets.UTF_8)) {
      fixture.properties.store(writer, null);
    }
    final Path trace = fixture.root.resolve("trace");
    assertThat(
            run(
                List.of(
                    "strace",
                    "-f",
                    "-e",
                    "trace=fsync,fdatasync,msync,write",
                    "-o",
                    trace.toString(),
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    ForceProbe.class.getName(),
                    config.toString(),
                    fixture.partition("t-0").toString(),
                    Integer.toString(APPENDS))))
        .isZero();
    final List<Integer> forces = new ArrayList<>();
    int now = 0;
    for (final String line : Files.readAllLines(trace, StandardCharsets.ISO_8859_1)) {
      if (line.contains("acknowledged ")) {
        forces.add(now);
        now = 0;
      } else if (line.matches(".*(fsync|fdatasync|msync)[( ].*= 0.*")) {
        now++;
      }
    }
    assertThat(forces).hasSize(APPENDS);
    return forces;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "home"})
  void eachAppendIsForcedBeforeItIsAcknowledgedWhereThatIsPromised(final String kind)
      throws Exception {
    assertThat(forcesOfEachAppend(kind, "append")).allMatch(forces -> forces >= 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "home"})
  void nothingIsForcedForAnAppendWhereTheEngineDoesThatItself(final String kind) throws Exception {
    final List<Integer> forces = forcesOfEachAppend(kind, "engine");
    assertThat(forces.stream().filter(each -> each == 0).count())
        .as("appends without a force, of %d", APPENDS)
        .isGreaterThan(APPENDS - 8);
  }
}
