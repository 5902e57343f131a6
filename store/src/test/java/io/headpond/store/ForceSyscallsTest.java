// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel is asked to force between two acknowledged appends, seen by strace. */
@EnabledIf("straceWorks")
final class ForceSyscallsTest {
  private static final int APPENDS = 40;

  @AutoClose private final StoreFixture fixture = StoreFixture.made();

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

  /** A file that is opened so that each write forces its own bytes, and a write to a file. */
  private static final Pattern OPENED_TO_FORCE =
      Pattern.compile(".*openat\\(.*\"(.*)\".*O_DSYNC.*");

  private static final Pattern WRITTEN = Pattern.compile(".*pwrite64\\([0-9]+<(.*)>, \"(.*)\".*");

  /** For each append, what forced between the acknowledgement before it and its own. */
  private List<List<String>> forcesOfEachAppend(final String kind, final String durability)
      throws Exception {
    final Path disk = Files.createDirectory(fixture.root.resolve("disk"));
    fixture
        .with("headpond.tier.pmem.paths", disk.toString())
        .with("headpond.tier.pmem.capacity", kind.equals("home") ? "1B" : "64MiB")
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
                    "trace=fsync,fdatasync,write,pwrite64,openat",
                    "-y",
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
    final List<List<String>> forces = new ArrayList<>();
    final Set<String> forcing = new HashSet<>();
    List<String> now = new ArrayList<>();
    for (final String line : Files.readAllLines(trace, StandardCharsets.ISO_8859_1)) {
      final Matcher opened = OPENED_TO_FORCE.matcher(line);
      final Matcher written = WRITTEN.matcher(line);
      if (line.contains("acknowledged ")) {
        forces.add(now);
        now = new ArrayList<>();
      } else if (line.matches(".*(fsync|fdatasync)[( ].*= 0.*")) {
        now.add("force");
      } else if (opened.matches()) {
        forcing.add(opened.group(1));
      } else if (written.matches()
          && forcing.contains(written.group(1))
          && !written.group(2).startsWith("\\0\\0\\0\\0")) {
        now.add("write");
      }
    }
    assertThat(forces).hasSize(APPENDS);
    return forces;
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "home"})
  void eachAppendIsForcedBeforeItIsAcknowledgedWhereThatIsPromised(final String kind)
      throws Exception {
    assertThat(forcesOfEachAppend(kind, "append")).noneMatch(List::isEmpty);
  }

  @Test
  void aFileThatIsGrownAheadIsForcedByTheWriteAlone() throws Exception {
    Assumptions.assumeTrue(Device.detect(fixture.root).writesInPlace(), "ext4 or XFS");
    assertThat(forcesOfEachAppend("file", "append").stream().filter(List.of("write")::equals))
        .hasSizeGreaterThan(APPENDS - 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "home"})
  void nothingIsForcedForAnAppendWhereTheEngineDoesThatItself(final String kind) throws Exception {
    final List<List<String>> forces = forcesOfEachAppend(kind, "engine");
    assertThat(forces.stream().filter(List::isEmpty).count())
        .as("appends without a force, of %d", APPENDS)
        .isGreaterThan(APPENDS - 8);
  }
}
