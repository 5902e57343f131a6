// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.slowdisk.DiskLimit;
import io.headpond.harness.slowdisk.Leftovers;
import io.headpond.harness.slowdisk.LimitedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Where a {@link DurableComparison} has its log directories: on a slow disk, which the kernel makes
 * of the user's own by a limit, if this process may do that; else on that disk itself. One thread,
 * but for {@link #close}.
 */
final class ComparisonHome implements AutoCloseable {

  /** A small cloud volume, or a hard disk that writes in sequence. */
  private static final String LIMIT = "50MB/s,3000iops";

  private static final long BYTES = 1L << 30;
  private static final Duration EACH = Duration.ofMillis(500);

  private final Path own;
  private final LiveBlock screen;
  private volatile LimitedHome limited;
  private volatile boolean closed;
  private String fault;

  /**
   * Nothing is set up yet.
   *
   * @param own a folder on the user's disk
   */
  ComparisonHome(Path own, LiveBlock screen) {
    this.own = own;
    this.screen = screen;
  }

  /**
   * Sets the slow disk up, and takes down what a killed demo left. Where the disk can't be made, or
   * isn't as slow as it shall be, nothing is left of it.
   */
  void limit() throws IOException, InterruptedException {
    Leftovers.remove(screen::say);
    if (closed || LimitedHome.impossible(own).isPresent()) {
      return;
    }
    limited =
        new LimitedHome(
            new LimitedHome.Settings(own, DiskLimit.parse(LIMIT), BYTES, 0, EACH), this::show);
    try {
      limited.start();
    } catch (IOException | InterruptedException e) {
      if (closed) {
        new CountDownLatch(1).await(); // the JVM is ending
      }
      if (e instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      limited.close();
      limited = null;
      screen.say("The comparison is made on the disk itself: " + e.getMessage());
    }
  }

  private void show(String text) {
    String line = "a slow disk for the comparison: " + text;
    screen.show(() -> List.of("  " + line), () -> line);
  }

  /** The folder of the log directories. */
  Path folder() throws IOException {
    return limited == null ? Files.createDirectories(own.resolve("durable")) : limited.folder();
  }

  /** Measures the slow disk once more, when the brokers are gone. */
  void measure() throws IOException, InterruptedException {
    if (limited != null) {
      fault = limited.measure().orElse(null);
      screen.clear();
    }
  }

  /** The slow disk in words; empty: there is none. */
  Optional<String> text() {
    return Optional.ofNullable(limited).map(LimitedHome::text);
  }

  /** Why it wasn't as slow as it is said to be; empty: it was. */
  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** Takes the slow disk down; by any thread. */
  @Override
  public void close() throws IOException {
    closed = true;
    LimitedHome made = limited;
    if (made != null) {
      made.close();
    }
  }
}
