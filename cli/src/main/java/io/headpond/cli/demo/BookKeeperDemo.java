// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.bench.process.EngineRelease;
import io.headpond.cli.console.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** The demo of BookKeeper: a journal on disk and one on a fast device, beside each other. */
final class BookKeeperDemo implements EngineDemo {

  private static final long FAST_MIN = 768L << 20;
  private static final long HOME_MIN = 3L << 30;

  private final EngineRelease release;
  private final Duration duration;
  private final boolean keep;
  private volatile BookKeeperRun run;

  BookKeeperDemo(EngineRelease release, Duration duration, boolean keep) {
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
    BookKeeperView view =
        new BookKeeperView(
            new LiveBlock(out),
            place.homeFileSystem(),
            place.fastIsVolatile() ? "VOLATILE" : place.fastFileSystem());
    run = new BookKeeperRun(place, view, release, duration);
    BookKeeperResult result = run.run();
    summarise(place, out, result);
    return result;
  }

  private static void introduce(DemoPlace place, PrintWriter out) throws IOException {
    out.println(
        "Headpond demo: unmodified bookies, one's journal on disk, the other's on a fast device");
    out.printf("  disk         %s (%s)%n", place.home(), place.homeFileSystem());
    out.println(
        "               one journal, as BookKeeper writes and forces it; both bookies' ledgers");
    out.printf("  fast device  %s%n", place.fast().resolve("journal"));
    out.printf("               %s%n", place.fastText());
    out.println(
        "  Both have the same settings, those of a fast journal, and the same load. They take turns,");
    out.println("  so that neither disturbs the other.");
    out.flush();
  }

  private void summarise(DemoPlace place, PrintWriter out, BookKeeperResult r) {
    out.println();
    out.println(verdict(r));
    out.println("                        journal on disk     on fast device" + label(r));
    row(out, "rate", BookKeeperView.mbPerS(r.diskProduceMbPerS()), mb(r));
    row(out, "latency P50", ms(r.diskProduceP50Ms()), ms(r.produceP50Ms()));
    row(out, "latency P99", ms(r.diskProduceP99Ms()), ms(r.produceP99Ms()));
    out.printf(
        "  killed                once, by SIGKILL; acknowledging again after %s;%n",
        Units.duration(Duration.ofMillis(r.restartMs())));
    out.printf(
        "                        an entry waited %s at most%n",
        Units.duration(Duration.ofNanos((long) (r.produceMaxOverRestartMs() * 1e6))));
    if (keep) {
      out.printf("Kept: %s and %s%n", place.home(), place.fast());
    }
    out.flush();
  }

  private static String label(BookKeeperResult r) {
    return r.fastTierVolatile() ? " (VOLATILE)" : "";
  }

  private static String mb(BookKeeperResult r) {
    return BookKeeperView.mbPerS(r.produceMbPerS());
  }

  private static String ms(double value) {
    return BookKeeperView.ms(value);
  }

  private static void row(PrintWriter out, String name, String disk, String fast) {
    out.printf("  %-21s %-19s %s%n", name, disk, fast);
  }

  private static String verdict(BookKeeperResult r) {
    String acknowledged =
        Units.count(r.recordsAcknowledged(), "acknowledged entry", "acknowledged entries");
    if (r.clean()) {
      return "All " + acknowledged + " are there, each compared byte by byte.";
    }
    return String.format(
        Locale.ROOT,
        "SOMETHING IS WRONG: of %s %,d verified, %,d lost, %,d corrupt; %s in the fast journal.",
        acknowledged,
        r.recordsVerified(),
        r.recordsLost(),
        r.recordsCorrupt(),
        Units.bytes(r.journalBytes()));
  }

  @Override
  public void close() throws IOException {
    BookKeeperRun started = run;
    if (started != null) {
      started.close();
    }
  }
}
