// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.ServedEngine.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** A guest stops for an instant at most so long after its last acknowledgement that counts. */
  private static final long INSTANT_NANOS_MAX = 200_000_000;

  private final ServedEngine engine;
  private final boolean control;
  private final Tally tally;
  private final CutsView view;
  private final Path folder;
  private final List<Instant> instants = new ArrayList<>();
  private HostPrograms host;
  private Path image;
  private int java;
  private int instantsPerRound;
  private long readyNanos;

  /**
   * Copies that are still to be compared.
   *
   * @param during what it came into the middle of
   */
  private record Instant(Instants copies, Path folder, List<String> during) {}

  private EngineCuts(
      ServedEngine engine, Path folder, boolean control, Tally tally, CutsView view) {
    this.engine = engine;
    this.control = control;
    this.tally = tally;
    this.view = view;
    this.folder = folder;
  }

  /**
   * From now on each round also compares what cuts at earlier instants would have left. Copies of
   * the disks are made while the guest stands still, and read after the round's cut by the
   * unmodified engine on the host.
   *
   * @param perRound how many
   * @param guestImage of the guest
   * @param programs of the host
   * @throws IOException if the host doesn't allow what is needed
   */
  public EngineCuts withInstants(int perRound, Path guestImage, HostPrograms programs)
      throws IOException, InterruptedException {
    image = guestImage;
    instantsPerRound = perRound;
    host = programs;
    if (perRound > 0) {
      CopiedDisks.require(folder, host);
    }
    return this;
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
        new EngineCuts(maker.make(folder, seed), folder, control, new Tally(seed), view);
    try {
      cuts.engine.makeDisks();
      return cuts;
    } catch (IOException | InterruptedException e) {
      cuts.close();
      throw e;
    }
  }

  @Override
  public void round(int feature) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    java = feature;
    if (instantsPerRound > 0) {
      view.progress("boot " + (tally.boots + 1) + ": making an archive of the engine's classes");
      engine.archiveClasses(java);
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
    for (int i = 0; i < instantsPerRound; i++) {
      awaitRecords(boot, before, (long) records * (i + 1) / (instantsPerRound + 1));
      takeInstant(boot, random);
    }
    awaitRecords(boot, before, records);
    long afterNanos = control ? 0 : random.nextLong(AFTER_NANOS_MAX);
    List<String> moment = control ? List.of() : engine.awaitMoment(boot, hits(), random);
    boot.cutAfter(moment.isEmpty() ? afterNanos : 0);
    tally.cut(moment, boot.losses());
    engine.endLoad();
    long more = engine.acknowledged() - before;
    compareInstants();
    return ", " + more + " more acknowledged" + boot.describeLosses();
  }

  private void awaitRecords(Boot boot, long before, long records)
      throws IOException, InterruptedException {
    for (long now = before; now < before + records; now = engine.acknowledged()) {
      boot.check();
      progress((now - before) + " records acknowledged", boot);
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** With the instants that are still to be compared. */
  private Map<String, Integer> hits() {
    Map<String, Integer> hits = tally.moments();
    instants.forEach(
        instant -> instant.during().forEach(moment -> hits.merge(moment, 1, Integer::sum)));
    return hits;
  }

  private void takeInstant(Boot boot, Random random) throws IOException, InterruptedException {
    List<String> during =
        random.nextBoolean() ? engine.awaitMoment(boot, hits(), random) : List.of();
    boot.runFor(random.nextLong(INSTANT_NANOS_MAX));
    boot.stopAmidChanges();
    Path instant = folder.resolve("instant-" + (instants.size() + 1));
    Instants copies = new Instants(engine.disks(), instant, host);
    copies.take(boot, () -> engine.saveAtInstant(instant));
    instants.add(new Instant(copies, instant, during));
  }

  /** The guest is off, and its ports are free. */
  private void compareInstants() throws IOException, InterruptedException {
    for (Instant instant : instants) {
      if (tally.bad()) {
        return; // its copies stay
      }
      view.progress(
          String.format("boot %d: comparing instant %d", tally.boots, tally.instants + 1));
      instant.copies().bringUp(instant.folder());
      CopiedDisks copies =
          new CopiedDisks(instant.folder(), engine.disks().resolve(Guest.APP), image, java, host);
      ContentReport report = engine.verify(copies);
      report.examples().forEach(example -> view.line(instant.folder() + ": " + example));
      tally.instant(
          instant.during(),
          instant.copies().losses(),
          report.verified(),
          report.lost(),
          report.corrupt());
      if (!tally.bad()) {
        copies.close();
      }
    }
    instants.clear();
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
    return tally.report(engine.acknowledged() - engine.deleted(), engine.deleted());
  }

  @Override
  public void close() {
    engine.close();
  }
}
