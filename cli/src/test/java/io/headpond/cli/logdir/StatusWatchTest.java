// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusWatchTest {
  @TempDir Path root;
  private LogDirFixture fixture;
  private String logDir;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    logDir = fixture.logDir.toString();
    fixture.tier("pmem");
    fixture.tierSegment("pmem", "orders-0", 0, batches(0, 5));
  }

  private void publish(long updatedMs, long appended) throws IOException {
    Path file = fixture.tierPath("pmem").resolve(".headpond.live");
    Path temporary = file.resolveSibling(".headpond.live.tmp");
    Files.writeString(
        temporary,
        "pid=4711\nstarted.ms=1\nupdated.ms="
            + updatedMs
            + "\nappended.bytes.durable="
            + appended
            + "\ntier.pmem.segment.bytes="
            + appended
            + "\ntier.pmem.capacity.bytes=1000000000\ntier.pmem.threshold=0.5\n"
            + "tier.pmem.threshold.bytes=500000000\n");
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What so many looks print. */
  private String watch(int count, boolean json) throws Exception {
    StringWriter out = new StringWriter();
    StatusReport report = new StatusReport(List.of(fixture.logDir), false);
    new StatusWatch(report, new PrintWriter(out), json).run(Duration.ofMillis(100), count);
    return out.toString();
  }

  private LockHolder owner() throws IOException {
    return new LockHolder(
        Files.writeString(fixture.tierPath("pmem").resolve(".headpond.lock"), ""));
  }

  @Test
  void anyNumberOfLooksEachPrintsOneBlock() throws Exception {
    // So old that an owner with something to do would have published again: nothing happened since.
    publish(System.currentTimeMillis() - 1_600, 100_000_000);
    String out;
    try (LockHolder owner = owner()) {
      assertThat(owner.pid()).isPositive();
      out = watch(3, false);
    }
    assertThat(out.lines().filter(line -> line.contains("owner: process 4711"))).hasSize(3);
    assertThat(out)
        .contains("tier pmem: 95.4 MiB of 953.7 MiB used (10 %), threshold 50 %")
        .contains("appended 0 B/s, of it 0 B/s at home\n  migrated down 0 B/s, up 0 B/s\n")
        .contains("    +0 B/s: steady")
        .contains("migration: idle")
        .contains("home " + logDir)
        .doesNotContain("\u001b");
    assertThat(out.lines().filter(line -> !line.startsWith("home ")))
        .allMatch(line -> line.length() <= 80);
    assertThat(out.substring(0, out.indexOf("home ")))
        .as("the first look knows no rates, so it shows none")
        .contains("rates from the next look on", "tier pmem")
        .doesNotContain("B/s", "steady");
  }

  @Test
  void aDrainingTierSaysWhatItWaitsFor() throws Exception {
    publish(System.currentTimeMillis(), 100_000_000);
    Path live = fixture.tierPath("pmem").resolve(".headpond.live");
    String what = "tier.pmem.draining=true\ntier.pmem.waits=no room is anywhere\n";
    Files.writeString(live, Files.readString(live) + what);
    try (LockHolder owner = owner()) {
      assertThat(owner.pid()).isPositive();
      assertThat(watch(1, false))
          .contains("; draining: ", "; not all of its segments leave: no room is anywhere");
    }
  }

  /** The rates are of the last seconds, and what moves is of now. */
  @Test
  void whatMovedLatelyIsNotCalledIdle() {
    StringWriter out = new StringWriter();
    StatusText text = new StatusText(new PrintWriter(out));
    text.migrationState(0, true, false, null);
    text.migrationState(0, false, false, null);
    text.migrationState(2, true, true, null);
    text.migrationState(0, false, false, "no room");
    assertThat(out.toString().lines())
        .containsExactly(
            "  migration: nothing moves at the moment",
            "  migration: idle",
            "  migration: moving 2 segments, yielding to appends",
            "  migration: stands still",
            "  PROBLEM: migration is blocked: no room");
  }

  @Test
  void aLookIsOneLineOfJson() throws Exception {
    publish(System.currentTimeMillis(), 100_000_000);
    List<String> lines = watch(2, true).lines().toList();
    assertThat(lines).hasSize(2);
    for (String line : lines) {
      JsonNode look = new ObjectMapper().readTree(line);
      assertThat(look.at("/owner/pid").asLong()).isEqualTo(4711);
      assertThat(look.at("/owner/running").asBoolean()).isFalse();
      assertThat(look.get("rates").isNull()).isTrue();
      assertThat(look.at("/tiers/0/threshold").asDouble()).isEqualTo(0.5);
      assertThat(look.at("/tiers/0/forecast/kind").asText()).isEqualTo("steady");
    }
  }

  @Test
  void withoutAnOwnerItSaysSo() throws Exception {
    assertThat(watch(1, false)).contains("no broker has published anything here yet");
  }

  @Test
  void anOwnerThatIsGoneHasNoRates() throws Exception {
    publish(System.currentTimeMillis(), 100_000_000);
    assertThat(watch(2, false))
        .contains("owner: process 4711, no longer running")
        .contains("tier pmem: 95.4 MiB")
        .doesNotContain("appended")
        .doesNotContain("migration:");
  }

  @Test
  void aSignalEndsItWithExitCodeZeroAfterRatesWereShown() throws Exception {
    long start = System.currentTimeMillis();
    publish(start, 600_000_000);
    LockHolder owner = owner();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dsun.jnu.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                "io.headpond.cli.Headpond",
                "status",
                "--watch",
                "--json",
                logDir)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      JsonNode look = new ObjectMapper().readTree(lines.readLine());
      assertThat(look.at("/rates/window_ms").asLong()).isZero();
      publish(start + 2_000, 800_000_000);
      while (look.at("/rates/appended_bytes_per_second").asLong() == 0) {
        look = new ObjectMapper().readTree(lines.readLine());
      }
      assertThat(look.at("/rates/window_ms").asLong()).isPositive();
      assertThat(look.at("/rates/appended_bytes_per_second").asLong())
          .isEqualTo(Math.round(200_000_000 * 1e3 / look.at("/rates/window_ms").asLong()));
      assertThat(look.at("/tiers/0/forecast/kind").asText()).isEqualTo("full");
      process.destroy(); // SIGTERM takes the same way as Ctrl-C's SIGINT
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly().waitFor();
      owner.close();
    }
  }
}
