// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.Units;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/** The demo of an engine with two journals beside each other: one on disk, one on a fast device. */
final class JournalDemo<R extends JournalOutcome> implements EngineDemo {

  private final JournalEngine<R> engine;
  private final EngineRelease release;
  private final Duration duration;
  private final boolean keep;
  private volatile JournalRun<R> run;

  JournalDemo(JournalEngine<R> engine, EngineRelease release, Duration duration, boolean keep) {
    this.engine = engine;
    this.release = release;
    this.duration = duration;
    this.keep = keep;
  }

  @Override
  public long fastBytes() {
    return engine.words().fastBytes();
  }

  @Override
  public long homeBytes() {
    return engine.words().homeBytes();
  }

  @Override
  public DemoOutcome run(DemoPlace place, PrintWriter out)
      throws IOException, InterruptedException {
    introduce(place, out);
    run = engine.prepare(place, new LiveBlock(out), release, duration);
    R result = run.run();
    summarise(place, out, result);
    return result;
  }

  private void introduce(DemoPlace place, PrintWriter out) throws IOException {
    out.printf(
        "Headpond demo: %s, one's journal on disk, the other's on a fast device%n",
        engine.words().subject());
    out.printf("  disk         %s (%s)%n", place.home(), place.homeFileSystem());
    out.println(
        "               one journal, as BookKeeper writes and forces it; both bookies' ledgers");
    out.printf("  fast device  %s%n", place.fast().resolve("journal"));
    out.printf("               %s%n", place.fastText());
    engine.words().terms().forEach(line -> out.println("  " + line));
    out.flush();
  }

  private void summarise(DemoPlace place, PrintWriter out, R r) {
    JournalWords words = engine.words();
    JournalFigures f = r.figures();
    out.println();
    out.println(engine.verdict(r));
    out.printf(
        "                        journal on disk     on fast device%s%n",
        r.fastTierVolatile() ? " (VOLATILE)" : "");
    row(
        out,
        words.rate(),
        Units.rate(f.diskProduceMbPerS() * 1e6),
        Units.rate(f.produceMbPerS() * 1e6));
    row(
        out,
        "latency P50",
        Units.milliseconds(f.diskProduceP50Ms()),
        Units.milliseconds(f.produceP50Ms()));
    row(
        out,
        "latency P99",
        Units.milliseconds(f.diskProduceP99Ms()),
        Units.milliseconds(f.produceP99Ms()));
    out.printf(
        "  killed                %s, by SIGKILL; acknowledging again after %s;%n",
        words.killed(), Units.milliseconds(r.restartMs()));
    out.printf(
        "                        %s waited %s at most%n",
        words.waiting(), Units.milliseconds(f.produceMaxOverRestartMs()));
    engine.more(r).forEach(line -> out.println("  " + line));
    if (keep) {
      out.printf("Kept: %s and %s%n", place.home(), place.fast());
    }
    out.flush();
  }

  private static void row(PrintWriter out, String name, String disk, String fast) {
    out.printf("  %-21s %-19s %s%n", name, disk, fast);
  }

  @Override
  public void close() throws IOException {
    JournalRun<R> started = run;
    if (started != null) {
      started.close();
    }
  }
}
