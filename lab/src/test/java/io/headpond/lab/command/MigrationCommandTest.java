// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Headpond;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.HeadpondLab;
import io.headpond.lab.Run;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationCommandTest {
  @TempDir Path root;
  private Path fast;
  private Path home;

  /** In memory where the machine allows: other tests may keep the disk busy. */
  @BeforeEach
  void makeDirectories() throws IOException {
    Path memory = Path.of("/dev/shm");
    Path device = Files.isWritable(memory) ? memory : root;
    fast = Files.createTempDirectory(device, "headpond-test-fast");
    home = Files.createTempDirectory(device, "headpond-test-home");
  }

  @AfterEach
  void removeDirectories() throws IOException {
    FolderRemoval.remove(fast, true);
    FolderRemoval.remove(home, true);
  }

  private Run run(String... more) {
    String[] all = new String[4 + more.length];
    all[0] = "run";
    all[1] = "migration";
    all[2] = "--fast=" + fast;
    all[3] = "--home=" + home;
    System.arraycopy(more, 0, all, 4, more.length);
    return Run.of(all);
  }

  /** How close they come is for the benchmark to say, on a machine that does nothing else. */
  @Test
  void aBurstIsComparedWithWhatThePlanCalculates() throws IOException {
    Run run = run("--measures=burst", "--bytes=16MiB", "--rounds=1", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode bursts = new ObjectMapper().readTree(run.out()).get("bursts");
    Run plan =
        Run.of(
            Headpond.commandLine(),
            "plan",
            "--capacity=" + bursts.get("capacity_bytes") + "B",
            "--threshold=" + bursts.get("threshold"),
            "--burst-rate=" + bursts.get("burst_bytes_per_second") + "B",
            "--home-rate=" + bursts.get("migrated_bytes_per_second") + "B",
            "--json");
    assertThat(plan.exitCode()).as(plan.out() + plan.err()).isZero();
    JsonNode calculated = new ObjectMapper().readTree(plan.out());
    double seconds = calculated.get("absorbed_ms").asLong() / 1e3;
    assertThat(bursts.get("predicted_seconds").asDouble()).isCloseTo(seconds, within(0.001));
    assertThat(bursts.get("seconds").get("median").asDouble())
        .as("a burst may come slower than it should, and lasts longer then; not shorter")
        .isGreaterThan(calculated.get("absorbed_without_migration_ms").asLong() / 1e3 * 0.95);
    try (var files = Files.list(fast);
        var others = Files.list(home)) {
      assertThat(files).as("nothing is left").isEmpty();
      assertThat(others).isEmpty();
    }
  }

  @Test
  void aMeasurementThatIsInterruptedLeavesNothing() throws Exception {
    Path output = root.resolve("output");
    Process bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                HeadpondLab.class.getName(),
                "run",
                "migration",
                "--fast=" + fast,
                "--home=" + home,
                "--measures=burst")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      while (segments() < 3) {
        assertThat(bench.isAlive()).as(Files.readString(output)).isTrue();
        LockSupport.parkNanos(5_000_000);
      }
      bench.destroy(); // SIGTERM
      assertThat(bench.waitFor(30, TimeUnit.SECONDS)).isTrue();
      try (var files = Files.list(fast);
          var others = Files.list(home)) {
        assertThat(files).as(Files.readString(output)).isEmpty();
        assertThat(others).isEmpty();
      }
    } finally {
      bench.destroyForcibly();
    }
  }

  /** What the first measurement has written. */
  private int segments() {
    File[] stores = home.toFile().listFiles();
    String[] names = stores.length == 0 ? null : new File(stores[0], "full-0").list();
    return names == null ? 0 : names.length;
  }
}
