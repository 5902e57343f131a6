// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.process.EngineRelease;
import io.headpond.cli.console.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** The demo of Pulsar: a bookie's journal on disk and one on a fast device, beside each other. */
final class PulsarDemo implements EngineDemo {

  /** Roughly what is fetched at the first demo with it. */
  static final int FETCHED_MEGABYTES = 240;

  private static final long FAST_MIN = 512L << 20;
  private static final long HOME_MIN = 2L << 30;

  private final EngineRelease release;
  private final Duration duration;
  private final boolean keep;
  private volatile PulsarRun run;

  PulsarDemo(EngineRelease release, Duration duration, boolean keep) {
    this.release = release;
    this.duration = duration;
    this.keep = keep;
  }

  @Override
  public long fastBytes() {
    return FAST_MIN;
  }

  @Override
  public long homeBytes() {
    return HOME_MIN;
  }

  @Override
  public DemoOutcome run(DemoPlace place, PrintWriter out)
      throws IOException, InterruptedException {
    introduce(place, out);
    PulsarView view =
        new PulsarView(
            new LiveBlock(out),
            place.homeFileSystem(),
            place.fastIsVolatile() ? "VOLATILE" : place.fastFileSystem());
    run = new PulsarRun(place, view, release, duration);
    PulsarResult result = run.run();
    summarise(place, out, result);
    return result;
  }

  private static void introduce(DemoPlace place, PrintWriter out) throws IOException {
    out.println(
        "Headpond demo: unmodified Pulsars, one's journal on disk, the other's on a fast device");
    out.printf("  disk         %s (%s)%n", place.home(), place.homeFileSystem());
    out.println(
        "               one journal, as BookKeeper writes and forces it; both bookies' ledgers");
    out.printf("  fast device  %s%n", place.fast().resolve("journal"));
    out.printf("               %s%n", place.fastText());
    out.println(
        "  Each has a ZooKeeper, a bookie and a broker as processes of their own, because"
            + " Pulsar's");
    out.println(
        "  standalone keeps journal and ledgers in one directory. Both have the same settings and");
    out.println("  the same load, and take turns, so that neither disturbs the other.");
    out.flush();
  }

  private void summarise(DemoPlace place, PrintWriter out, PulsarResult r) {
    out.println();
    out.println(verdict(r));
    out.printf(
        "                        journal on disk     on fast device%s%n",
        r.fastTierVolatile() ? " (VOLATILE)" : "");
    row(
        out,
        "rate, as asked for",
        PulsarView.mbPerS(r.diskProduceMbPerS()),
        PulsarView.mbPerS(r.produceMbPerS()));
    row(out, "latency P50", PulsarView.ms(r.diskProduceP50Ms()), PulsarView.ms(r.produceP50Ms()));
    row(out, "latency P99", PulsarView.ms(r.diskProduceP99Ms()), PulsarView.ms(r.produceP99Ms()));
    out.printf(
        "  killed                the bookie once, by SIGKILL; acknowledging again after %s;%n",
        Units.duration(Duration.ofMillis(r.restartMs())));
    out.printf(
        "                        a message waited %s at most%n",
        Units.duration(Duration.ofNanos((long) (r.produceMaxOverRestartMs() * 1e6))));
    if (r.clean()) {
      out.println("  stream (exclusive)    got every message, each partition in order");
      out.printf(
          "  queue (shared)        got every message; a backlog of %,d drained beside publishing%n",
          r.backlogRecords());
    }
    if (r.recordsDuplicated() + r.recordsRedelivered() > 0) {
      out.printf(
          Locale.ROOT,
          "  twice                 %,d sent again after the kill, %,d delivered again%n",
          r.recordsDuplicated(),
          r.recordsRedelivered());
    }
    if (keep) {
      out.printf("Kept: %s and %s%n", place.home(), place.fast());
    }
    out.flush();
  }

  private static void row(PrintWriter out, String name, String disk, String fast) {
    out.printf("  %-21s %-19s %s%n", name, disk, fast);
  }

  private static String verdict(PulsarResult r) {
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged message");
    if (r.clean()) {
      return "All " + acknowledged + " are there, each compared byte by byte.";
    }
    return String.format(
        Locale.ROOT,
        "SOMETHING IS WRONG: of %s %,d verified, %,d lost, %,d corrupt; the stream missed %,d and"
            + " got %,d out of order, the queue missed %,d of its backlog of up to %,d.",
        acknowledged,
        r.recordsVerified(),
        r.recordsLost(),
        r.recordsCorrupt(),
        r.streamRecordsMissing(),
        r.streamRecordsDisordered(),
        r.queueRecordsMissing(),
        r.backlogRecords());
  }

  @Override
  public void close() throws IOException {
    PulsarRun started = run;
    if (started != null) {
      started.close();
    }
  }
}
