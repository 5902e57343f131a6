// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * What a durable record costs with Headpond and without: two brokers with their log directories on
 * one disk, taking turns, one record at a time. On a slow disk, with the tier on the user's own, it
 * shows what the fast device gains; on the user's own alone, what the software does.
 */
final class DurableComparison implements AutoCloseable {

  private static final int RECORD_BYTES = 1024;
  private static final int ROUNDS = 5;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TURN = Duration.ofSeconds(1);
  private static final int BAR_CELLS = 30;

  private final LiveBlock screen;
  private final DurableSide headpond;
  private final DurableSide forced;
  private volatile boolean killed;

  /**
   * Nothing is started yet.
   *
   * @param logs the folder of the log directories
   * @param tier the folder of Headpond's tier
   */
  DurableComparison(Path logs, Path tier, LiveBlock screen, PlugIn plugIn, EngineRelease kafka)
      throws IOException {
    this.screen = screen;
    this.headpond = DurableSide.headpond(kafka, plugIn, logs.resolve("headpond"), tier);
    this.forced = DurableSide.forced(kafka, logs.resolve("forced"));
  }

  /** Runs it; Ctrl-C ends the JVM, whose hooks clean up. */
  void run() throws IOException, InterruptedException {
    try {
      turns();
    } catch (IOException e) {
      if (killed) {
        new CountDownLatch(1).await();
      }
      throw e;
    }
    screen.clear();
  }

  /**
   * What came of it.
   *
   * @param fileSystem of the user's disk
   * @param home of the log directories
   */
  DurableResult result(String fileSystem, ComparisonHome home) {
    return DurableResult.of(fileSystem, RECORD_BYTES, home, headpond, forced);
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
    boolean limited = r.limitedHome() != null;
    out.printf(
        "%nEach record durable before it is acknowledged, %s, one at a time;%n%s the disk below %s"
            + " (%s):%n",
        Units.bytes(r.recordBytes()),
        limited ? "log directories on a slow disk, the tier on" : "log directories and tier on",
        disk,
        r.fileSystem());
    bar(out, "with Headpond", r.headpondRecordsPerS(), most, r.headpondP99Ms());
    bar(out, "without", r.forcedRecordsPerS(), most, r.forcedP99Ms());
    out.printf(
        Locale.ROOT,
        "  %.2f times the records a second (%.2f - %.2f) with headpond.durability=append as with"
            + " flush.messages=1;%n  in turns on this machine, by headpond demo%n",
        r.ratio().median(),
        r.ratio().min(),
        r.ratio().max());
    if (limited) {
      out.println("  LIMITED: " + r.limitedHome().replace("; measured", ";\n  measured"));
    }
    if (r.limitFault() != null) {
      out.println("  Not judged: " + r.limitFault());
    }
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
        "  %-13s [%s%s] %,7.0f records/s, P99 %s%n",
        name,
        "#".repeat(full),
        "-".repeat(BAR_CELLS - full),
        perSecond,
        Units.milliseconds(p99));
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
