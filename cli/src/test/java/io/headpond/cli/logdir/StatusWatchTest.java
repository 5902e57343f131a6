// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
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

  @Test
  void anyNumberOfLooksEachPrintsOneBlock() throws Exception {
    // So old that an owner with something to do would have published again: nothing happened since.
    publish(System.currentTimeMillis() - 1_600, 100_000_000);
    String out;
    try (LockHolder owner = fixture.owner()) {
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
    LockHolder owner = fixture.owner();
    Process process =
        Run.child("status", "--watch", "--json", logDir)
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
