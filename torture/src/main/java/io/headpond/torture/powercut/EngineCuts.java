// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.ServedEngine.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A chain of rounds with a real engine: boot, let it recover, read everything by a client and
 * compare it with what was acknowledged, write, cut at a random moment. The clients are on the
 * host, and so is the memory of what was acknowledged.
 */
public final class EngineCuts implements Campaign {
  private static final int RECORDS_MAX = 3000;

  /** Few, so that the guest's kernel hasn't written them by itself before the cut. */
  private static final int CONTROL_RECORDS = 200;

  private static final long AFTER_NANOS_MAX = 500_000_000;
  private static final long POLL_MILLIS = 5;

  private final ServedEngine engine;
  private final boolean control;
  private final Tally tally;
  private final CutsView view;
  private final Path acknowledged;
  private long readyNanos;

  private EngineCuts(
      ServedEngine engine, Path folder, boolean control, Tally tally, CutsView view) {
    this.engine = engine;
    this.control = control;
    this.tally = tally;
    this.view = view;
    acknowledged = folder.resolve("acknowledged");
  }

  /**
   * On new disks.
   *
   * @param folder for disks, consoles and reports; what was there is removed
   * @param control the unmodified engine, which forces nothing
   * @param seed records, settings and moments follow from it
   */
  public static EngineCuts begin(
      ServedEngine.Maker maker, Path folder, boolean control, long seed, CutsView view)
      throws IOException, InterruptedException {
    FolderRemoval.remove(folder, true);
    EngineCuts cuts =
        new EngineCuts(maker.make(folder, seed), folder, control, Tally.begin(folder, seed), view);
    try {
      cuts.engine.makeDisks();
      cuts.tally.save();
      return cuts;
    } catch (IOException | InterruptedException e) {
      cuts.close();
      throw e;
    }
  }

  /** On the disks of an earlier campaign. */
  public static EngineCuts resume(ServedEngine.Maker maker, Path folder, CutsView view)
      throws IOException, InterruptedException {
    Tally tally = Tally.load(folder);
    if (tally.boots == 0) {
      return begin(maker, folder, false, tally.seed(), view);
    }
    EngineCuts cuts = new EngineCuts(maker.make(folder, tally.seed()), folder, false, tally, view);
    try {
      cuts.engine.load(cuts.acknowledged);
      return cuts;
    } catch (IOException | InterruptedException e) {
      cuts.close();
      throw e;
    }
  }

  @Override
  public void round(int java) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    tally.boots++;
    Random random = tally.chance();
    Variant variant = control ? engine.unforced() : engine.withHeadpond(random, tally.boots);
    boolean duringStart = readyNanos > 0 && random.nextInt(4) == 0;
    int records = control ? CONTROL_RECORDS : 1 + random.nextInt(RECORDS_MAX);
    try (Boot boot = engine.boot(tally.boots, java, variant)) {
      String done;
      if (duringStart) {
        done = cutStart(boot, random.nextLong(readyNanos));
      } else {
        done = recover(boot);
        if (!tally.bad()) {
          done += produce(boot, records, random);
        }
      }
      said(boot, java, variant, done);
    }
    tally.save();
  }

  private String cutStart(Boot boot, long at) throws IOException, InterruptedException {
    while (boot.nanos() < at) {
      boot.check();
      progress("starting", boot);
      Thread.sleep(POLL_MILLIS);
    }
    boot.cutAfter(0);
    tally.cut(List.of("start"), boot.losses());
    return String.format(
        "cut %s after power on, during the start%s", seconds(boot.nanos()), boot.describeLosses());
  }

  /** Waits for the engine, reads and compares everything; says what was found. */
  private String recover(Boot boot) throws IOException, InterruptedException {
    boolean first = tally.boots == 1;
    engine.awaitReady(boot, first, () -> progress("starting the engine", boot));
    readyNanos = boot.nanos();
    String ready = "ready after " + seconds(readyNanos);
    if (first) {
      return ready;
    }
    progress("reading and comparing everything", boot);
    ContentReport report = engine.verify();
    if (!control) {
      report.examples().forEach(view::line);
    }
    tally.found(report.verified(), report.lost(), report.corrupt());
    return String.format(
        "%s, found %d, lost %d, corrupt %d",
        ready, report.verified(), report.lost(), report.corrupt());
  }

  private String produce(Boot boot, int records, Random random)
      throws IOException, InterruptedException {
    long before = engine.acknowledged();
    engine.startLoad();
    for (long now = before; now < before + records; now = engine.acknowledged()) {
      boot.check();
      progress((now - before) + " records acknowledged", boot);
      Thread.sleep(POLL_MILLIS);
    }
    long afterNanos = control ? 0 : random.nextLong(AFTER_NANOS_MAX);
    List<String> moment = control ? List.of() : engine.awaitMoment(boot, random);
    boot.cutAfter(moment.isEmpty() ? afterNanos : 0);
    tally.cut(moment, boot.losses());
    engine.endLoad();
    engine.save(acknowledged);
    long more = engine.acknowledged() - before;
    return ", " + more + " more acknowledged" + boot.describeLosses();
  }

  /** By the unmodified engine, which must find the same. */
  @Override
  public void check(int java) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    tally.boots++;
    Variant variant = control ? engine.unforced() : engine.vanilla();
    try (Boot boot = engine.boot(tally.boots, java, variant)) {
      said(boot, java, variant, recover(boot));
    }
    tally.save();
  }

  private void progress(String text, Boot boot) {
    view.progress(String.format("boot %d, %s: %s", tally.boots, seconds(boot.nanos()), text));
  }

  private void said(Boot boot, int java, Variant variant, String done) throws IOException {
    view.line(
        String.format(
            "boot %d: Java %d, %s; %s; %s",
            tally.boots, java, variant.name(), done, engine.describe(boot)));
  }

  private static String seconds(long nanos) {
    return nanos / 1_000_000_000 + " s";
  }

  @Override
  public CutsReport report() throws IOException, InterruptedException {
    return new CutsReport(
        tally.seed(),
        tally.cuts,
        tally.instants,
        tally.losses(),
        tally.moments(),
        engine.acknowledged() - engine.deleted(),
        engine.deleted(),
        tally.verified,
        tally.compared,
        tally.lost,
        tally.corrupt);
  }

  @Override
  public void close() {
    engine.close();
  }
}
