// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * What a durable record costs with Headpond and without: two brokers on one disk, taking turns, one
 * record at a time. It shows what the software gains, not what a faster device does.
 */
final class DurableComparison implements AutoCloseable {

  private static final int RECORD_BYTES = 1024;
  private static final int ROUNDS = 5;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TURN = Duration.ofSeconds(1);
  private static final int BAR_CELLS = 30;

  private final DemoPlace place;
  private final LiveBlock screen;
  private final DurableSide headpond;
  private final DurableSide forced;
  private volatile boolean killed;

  DurableComparison(DemoPlace place, LiveBlock screen, PlugIn plugIn, EngineRelease kafka)
      throws IOException {
    this.place = place;
    this.screen = screen;
    Path root = Files.createDirectories(place.home().resolve("durable"));
    this.headpond = DurableSide.headpond(kafka, plugIn, root.resolve("headpond"));
    this.forced = DurableSide.forced(kafka, root.resolve("forced"));
  }

  /** Runs it; Ctrl-C ends the JVM, whose hooks clean up. */
  DurableResult run() throws IOException, InterruptedException {
    try {
      turns();
    } catch (IOException e) {
      if (killed) {
        new CountDownLatch(1).await();
      }
      throw e;
    }
    screen.clear();
    return DurableResult.of(place.homeFileSystem(), RECORD_BYTES, headpond, forced);
  }

  private void turns() throws IOException, InterruptedException {
    List<DurableSide> sides = List.of(headpond, forced);
    show("two brokers start, one with Headpond, one without");
    for (DurableSide side : sides) {
      side.launch();
    }
    for (DurableSide side : sides) {
      side.open();
    }
    byte[] value = new byte[RECORD_BYTES];
    new Random(1).nextBytes(value);
    show("each record durable before it is acknowledged: warming up");
    for (DurableSide side : sides) {
      side.warmUp(WARM_UP, value);
    }
    for (int round = 1; round <= ROUNDS; round++) {
      show("each record durable before it is acknowledged: round " + round + " of " + ROUNDS);
      for (DurableSide side : sides) {
        side.turn(TURN, value);
      }
    }
  }

  private void show(String text) {
    screen.show(() -> List.of("  " + text), () -> text);
  }

  /** The result as a small picture. */
  static void print(PrintWriter out, DurableResult r, Path disk) {
    double most = Math.max(r.headpondRecordsPerS(), r.forcedRecordsPerS());
    out.printf(
        "%nEach record durable before it is acknowledged, %s, one at a time, on the disk below %s"
            + " (%s):%n",
        Units.bytes(r.recordBytes()), disk, r.fileSystem());
    bar(out, "with Headpond", r.headpondRecordsPerS(), most, r.headpondP99Ms());
    bar(out, "without", r.forcedRecordsPerS(), most, r.forcedP99Ms());
    out.printf(
        Locale.ROOT,
        "  %.2f times the records a second (%.2f - %.2f) with headpond.durability=append as with"
            + " flush.messages=1,%n  tier and log directory on that same disk; in turns on this"
            + " machine, by headpond demo%n",
        r.ratio().median(),
        r.ratio().min(),
        r.ratio().max());
    if (r.noisy()) {
      out.println(
          "  NOISY: the turns' ratios differ by more than twice; something else uses the machine");
    }
    out.flush();
  }

  private static void bar(PrintWriter out, String name, double perSecond, double most, double p99) {
    int full = (int) Math.max(1, Math.round(BAR_CELLS * perSecond / most));
    out.printf(
        Locale.ROOT,
        "  %-13s [%s%s] %,7.0f records/s, P99 %.2f ms%n",
        name,
        "#".repeat(full),
        "-".repeat(BAR_CELLS - full),
        perSecond,
        p99);
  }

  /** Kills both brokers; by any thread. */
  void kill() {
    killed = true;
    try {
      for (DurableSide side : List.of(headpond, forced)) {
        side.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    headpond.close();
    forced.close();
  }
}
