// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.process.JavaHome;
import io.headpond.harness.slowdisk.DiskLimit;
import io.headpond.harness.slowdisk.Leftovers;
import io.headpond.harness.slowdisk.LimitedHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real devices with real limits, taken down however their process ends. */
@Tag("extra")
class LimitedHomeIT {

  private static final Path DIRTY_PAGES = Path.of("/proc/sys/vm");
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path THROTTLE = Path.of("/sys/fs/cgroup/blkio");

  private Workspace workspace;
  private Path home;
  private List<String> dirtyPages;

  @BeforeEach
  void place() throws Exception {
    workspace = Workspace.create("limited");
    home = workspace.folder("home").toRealPath();
    Optional<String> impossible = LimitedHome.impossible(home);
    assumeTrue(impossible.isEmpty(), () -> impossible.orElse(""));
    dirtyPages = dirtyPages();
  }

  /** Whatever a test that failed has left. */
  @AfterEach
  void takeDown() throws Exception {
    Leftovers.remove(said -> {});
    workspace.close();
  }

  private static List<String> dirtyPages() throws IOException {
    List<String> all = new ArrayList<>();
    for (String name : List.of("dirty_bytes", "dirty_background_bytes", "dirty_ratio")) {
      // At once: a second read gets nothing, and Files.readString makes two.
      try (InputStream in = Files.newInputStream(DIRTY_PAGES.resolve(name))) {
        String number = new String(in.readNBytes(100), StandardCharsets.US_ASCII).strip();
        all.add(name + " " + number);
      }
    }
    return all;
  }

  private String devices() throws IOException {
    try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
      List<String> files = new ArrayList<>();
      for (Path device : devices.toList()) {
        Path file = device.resolve("loop/backing_file");
        if (Files.exists(file) && Files.readString(file).startsWith(home.toString())) {
          files.add(device.getFileName() + " " + Files.readString(device.resolve("dev")).strip());
        }
      }
      return String.join("\n", files);
    }
  }

  private static String limits() throws IOException {
    StringBuilder all = new StringBuilder();
    if (Files.isDirectory(THROTTLE)) {
      for (String kind : List.of("read_bps", "write_bps", "read_iops", "write_iops")) {
        all.append(Files.readString(THROTTLE.resolve("blkio.throttle." + kind + "_device")));
      }
    }
    return all.toString();
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(home).isEmptyDirectory();
    assertThat(devices()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(home.toString());
    assertThat(limits()).doesNotContain(" 20000000\n", " 500\n");
    assertThat(dirtyPages()).isEqualTo(dirtyPages);
  }

  private LimitedHome limited(String limit) {
    return new LimitedHome(
        new LimitedHome.Settings(
            home, DiskLimit.parse(limit), 256 << 20, 0, Duration.ofMillis(800)),
        text -> {});
  }

  @Test
  void aDeviceIsAsSlowAsItSaysAndGoneInTheEnd() throws Exception {
    try (LimitedHome limited = limited("20MB/s,500iops")) {
      limited.start();
      assertThat(limited.text()).startsWith("home is limited to 20 MB/s, 500 IOPS (");
      assertThat(devices()).startsWith("loop");
      long begun = System.nanoTime();
      write(limited.folder().resolve("file"), 20_000_000);
      double seconds = (System.nanoTime() - begun) / 1e9;
      assertThat(seconds).as("20 MB, written to the page cache and forced").isBetween(0.8, 3.0);
      assertThat(limited.measure()).isEmpty();
      assertThat(limited.text()).contains("; measured before: writes ", "; after: writes ");
    }
    assertNothingIsLeft();
  }

  /**
   * A disk writes the adjacent blocks of a commit at once; each by itself would be another disk.
   */
  @Test
  void theBlocksOfACommitAreFewOperations() throws Exception {
    try (LimitedHome limited = limited("20MB/s,500iops")) {
      limited.start();
      Path counters = Path.of("/sys/block", devices().split(" ")[0], "stat");
      long[] before = writes(counters);
      for (int i = 0; i < 100; i++) { // each has a block of its own
        Files.createDirectory(limited.folder().resolve("folder" + i));
      }
      write(limited.folder().resolve("file"), 1);
      long[] after = writes(counters);
      long operations = after[0] - before[0];
      long blocks = (after[1] - before[1]) / (4096 / 512);
      assertThat(blocks).as("blocks").isGreaterThan(100);
      assertThat(operations).as("operations for " + blocks + " blocks").isLessThan(blocks / 4);
    }
    assertNothingIsLeft();
  }

  /** A disk gives a sequential reader its rate, whatever the size of the reader's pieces. */
  @Test
  void aSequentialReaderCostsFewOperations() throws Exception {
    inMemory(
        limited -> {
          Path counters = Path.of("/sys/block", devices().split(" ")[0], "stat");
          Path file = limited.folder().resolve("file");
          writePastThePageCache(file, 8);
          long before = stat(counters, 0);
          try (InputStream in = Files.newInputStream(file)) {
            byte[] piece = new byte[16 << 10];
            while (in.read(piece) >= 0) {}
          }
          assertThat(stat(counters, 0) - before)
              .as("operations of 512 KiB, and what reading ahead begins with")
              .isBetween(16L, 24L);
        });
  }

  private static void writePastThePageCache(Path file, int mebibytes) throws Exception {
    Process dd =
        new ProcessBuilder(
                "dd", "if=/dev/zero", "of=" + file, "bs=1M", "count=" + mebibytes, "oflag=direct")
            .inheritIO()
            .start();
    assertThat(dd.waitFor()).isZero();
  }

  /** The writes that a device has done, and their sectors. */
  private static long[] writes(Path counters) throws IOException {
    return new long[] {stat(counters, 4), stat(counters, 6)};
  }

  /** A field of a device's counters, from 0 on (Linux: block/stat.rst). */
  private static long stat(Path counters, int field) throws IOException {
    return Long.parseLong(Files.readString(counters).strip().split(" +")[field]);
  }

  @Test
  void aHomeInMemoryIsAsSlowAsItSays() throws Exception {
    inMemory(
        limited -> {
          assertThat(limited.text()).contains("loop device in memory, ext4");
          assertThat(limited.measure()).isEmpty();
        });
  }

  private interface Work {
    void with(LimitedHome limited) throws Exception;
  }

  private void inMemory(Work work) throws Exception {
    assumeTrue(Files.isDirectory(MEMORY), "memory is a folder");
    home = Files.createTempDirectory(MEMORY, "headpond-limited");
    try {
      try (LimitedHome limited = limited("20MB/s,500iops")) {
        try {
          limited.start();
        } catch (IOException e) {
          assumeFalse(e.getMessage().contains("can't go past the page cache"), e.getMessage());
          throw e;
        }
        work.with(limited);
      }
      assertNothingIsLeft();
    } finally {
      Files.delete(home);
    }
  }

  private static void write(Path file, int bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(bytes));
      channel.force(true);
    }
  }

  @Test
  void aLimitThatDoesNotHoldIsSeen() throws Exception {
    try (LimitedHome limited = limited("20MB/s,500iops")) {
      limited.start();
      String device = devices().split(" ")[1];
      assumeTrue(Files.isDirectory(THROTTLE), "a limit of version 1 is taken away by one line");
      Files.writeString(THROTTLE.resolve("blkio.throttle.write_bps_device"), device + " 0\n");
      assertThat(limited.measure())
          .hasValueSatisfying(
              fault ->
                  assertThat(fault)
                      .startsWith("it is faster than 20 MB/s, 500 IOPS: writes ")
                      .doesNotContain("reads"));
    }
    assertNothingIsLeft();
  }

  @Test
  void theNextStartTakesDownWhatAKilledProcessLeft() throws Exception {
    Process holder = java(LimitedHomeHolder.class.getName(), home.toString()).start();
    long engine;
    try (BufferedReader out = holder.inputReader()) {
      engine = Long.parseLong(out.readLine());
      assertThat(devices()).startsWith("loop");
      assertThat(dirtyPages()).contains("dirty_bytes " + (512 << 20));
      Leftovers.remove(said -> assertThat(said).doesNotContain(home.toString()));
      assertThat(devices()).as("its owner is alive").startsWith("loop");
    } finally {
      holder.destroyForcibly().waitFor();
    }
    assertThat(devices()).startsWith("loop");
    assertThat(ProcessHandle.of(engine)).as("the engine outlives it").isPresent();
    List<String> said = new ArrayList<>();
    Leftovers.remove(said::add);
    assertThat(said)
        .filteredOn(line -> line.contains(home.toString()))
        .singleElement()
        .asString()
        .contains("process " + holder.pid(), "killed what it had started: [" + engine + "]");
    assertNothingIsLeft();
  }

  @Test
  void aRunThatIsInterruptedLeavesNothing() throws Exception {
    Path fast = workspace.tier("fast");
    Process run =
        java(
                "io.headpond.lab.HeadpondLab run latency --engine kafka --compare vanilla-disk",
                "--home-limit 20MB/s,500iops --home-size 1GiB --rates 100 --seconds 60",
                "--fast " + fast + " --home " + home)
            .start();
    try (BufferedReader out = run.inputReader()) {
      assertThat(out.readLine()).startsWith("LIMITED: home is limited to 20 MB/s, 500 IOPS");
      assertThat(out.readLine()).startsWith("Kafka ");
      Await.until("a broker has begun", () -> run.descendants().findAny().isPresent());
      run.destroy();
      assertThat(run.waitFor()).as("ended by SIGTERM").isEqualTo(128 + 15);
    } finally {
      run.destroyForcibly();
    }
    assertThat(fast).isEmptyDirectory();
    assertNothingIsLeft();
  }

  /** A JVM with this test's class path, and words apart by white space. */
  private static ProcessBuilder java(String... words) {
    List<String> command = new ArrayList<>();
    command.add(JavaHome.current().java().toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(Arrays.asList(String.join(" ", words).split(" ")));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
