// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.powercut;

import io.headpond.bench.kafka.Verification;
import io.headpond.bench.kafka.VerificationReport;
import io.headpond.bench.kafka.Workload;
import io.headpond.bench.kafka.WorkloadSettings;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.FolderRemoval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A chain of rounds with a Kafka broker: boot, let it recover, read everything by a consumer and
 * compare it with what was acknowledged, produce, cut at a random moment. Producer and consumer are
 * on the host, and so is the memory of what was acknowledged.
 */
public final class KafkaCuts implements Campaign {
  private static final int RECORD_BYTES = 2048;
  private static final int RECORDS_MAX = 3000;

  /** Few, so that the guest's kernel hasn't written them by itself before the cut. */
  private static final int CONTROL_RECORDS = 200;

  private static final long AFTER_NANOS_MAX = 500_000_000;
  private static final long POLL_MILLIS = 5;

  /** Rounds with {@code headpond.durability=engine}, before anything lies at home. */
  private static final int ENGINE_ROUNDS = 2;

  private final KafkaGuest guest;
  private final boolean control;
  private final Tally tally;
  private final CutsView view;
  private final Path acknowledged;
  private final Workload workload;
  private long readyNanos;

  private KafkaCuts(KafkaGuest guest, Path folder, boolean control, Tally tally, CutsView view) {
    this.guest = guest;
    this.control = control;
    this.tally = tally;
    this.view = view;
    acknowledged = folder.resolve("acknowledged");
    WorkloadSettings settings =
        WorkloadSettings.of(KafkaGuest.TOPIC, KafkaGuest.PARTITIONS, tally.seed())
            .recordBytes(RECORD_BYTES, true);
    workload = new Workload(settings, guest.clientProperties());
  }

  /**
   * On new disks.
   *
   * @param image what {@link GuestImage} made
   * @param folder for disks, consoles and reports; what was there is removed
   * @param release of Kafka
   * @param control vanilla Kafka, which forces nothing
   * @param seed records, settings and moments follow from it
   */
  public static KafkaCuts begin(
      Path image,
      Path folder,
      EngineRelease release,
      boolean control,
      long seed,
      HostPrograms host,
      CutsView view)
      throws IOException, InterruptedException {
    FolderRemoval.remove(folder, true);
    KafkaGuest guest = new KafkaGuest(image, folder, release, host);
    guest.makeDisks();
    Tally tally = Tally.begin(folder, seed);
    tally.save();
    return new KafkaCuts(guest, folder, control, tally, view);
  }

  /** On the disks of an earlier campaign. */
  public static KafkaCuts resume(
      Path image, Path folder, EngineRelease release, HostPrograms host, CutsView view)
      throws IOException, InterruptedException {
    Tally tally = Tally.load(folder);
    if (tally.boots == 0) {
      return begin(image, folder, release, false, tally.seed(), host, view);
    }
    KafkaGuest guest = new KafkaGuest(image, folder, release, host);
    KafkaCuts cuts = new KafkaCuts(guest, folder, false, tally, view);
    cuts.workload.load(cuts.acknowledged);
    return cuts;
  }

  @Override
  public void round(int java) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    tally.boots++;
    Random random = tally.chance();
    boolean small = random.nextBoolean() && tally.boots > ENGINE_ROUNDS;
    boolean duringStart = readyNanos > 0 && random.nextInt(4) == 0;
    String tier = control ? "vanilla Kafka" : small ? "small tier" : "large tier";
    long before = workload.acknowledgedRecords();
    int records = control ? CONTROL_RECORDS : 1 + random.nextInt(RECORDS_MAX);
    try (Boot boot = guest.boot(tally.boots, java, control ? Map.of() : headpond(small))) {
      if (duringStart) {
        long at = random.nextLong(readyNanos);
        while (boot.nanos() < at) {
          boot.check();
          progress("starting", boot);
          Thread.sleep(POLL_MILLIS);
        }
        boot.cutAfter(0);
        tally.cuts++;
        said(
            boot,
            java,
            tier + "; cut " + seconds(boot.nanos()) + " after power on, during the start");
      } else {
        String found = recover(boot);
        if (!tally.bad()) {
          produce(boot, records, control ? 0 : random.nextLong(AFTER_NANOS_MAX));
        }
        said(
            boot,
            java,
            tier
                + "; "
                + found
                + ", "
                + (workload.acknowledgedRecords() - before)
                + " more acknowledged");
      }
    } finally {
      workload.close();
    }
    tally.save();
  }

  private Map<String, String> headpond(boolean small) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("headpond.tiers", "fast");
    settings.put("headpond.tier.fast.paths", "/pmem/tier");
    settings.put("headpond.tier.fast.capacity", small ? "4MiB" : "96MiB");
    settings.put("headpond.tier.fast.pool", small ? "0" : "4MiB");
    settings.put("headpond.durability", tally.boots <= ENGINE_ROUNDS ? "engine" : "append");
    return settings;
  }

  /** Waits for the broker, reads and compares everything; says what was found. */
  private String recover(Boot boot) throws IOException, InterruptedException {
    boolean first = tally.boots == 1;
    guest.awaitReady(boot, first, () -> progress("starting the broker", boot));
    readyNanos = boot.nanos();
    String ready = "ready after " + seconds(readyNanos);
    if (first) {
      return ready;
    }
    progress("reading and comparing everything", boot);
    VerificationReport report =
        Verification.of(workload, Verification.Expect.EVERYTHING).run(guest.clientProperties());
    if (!control) {
      report.examples().forEach(view::line);
    }
    tally.found(report.verified(), report.lost(), report.corrupt() + report.duplicates());
    return String.format(
        "%s, found %d, lost %d, corrupt %d",
        ready, report.verified(), report.lost(), report.corrupt() + report.duplicates());
  }

  private void produce(Boot boot, int records, long afterNanos)
      throws IOException, InterruptedException {
    long before = workload.acknowledgedRecords();
    workload.start();
    while (workload.acknowledgedRecords() < before + records) {
      boot.check();
      progress((workload.acknowledgedRecords() - before) + " records acknowledged", boot);
      Thread.sleep(POLL_MILLIS);
    }
    boot.cutAfter(afterNanos);
    tally.cuts++;
    workload.close();
    workload.await();
    workload.save(acknowledged);
  }

  /** By vanilla Kafka, which must find the same. */
  @Override
  public void check(int java) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    tally.boots++;
    try (Boot boot = guest.boot(tally.boots, java, Map.of())) {
      said(boot, java, "vanilla Kafka; " + recover(boot));
    }
    tally.save();
  }

  private void progress(String text, Boot boot) {
    view.progress(String.format("boot %d, %s: %s", tally.boots, seconds(boot.nanos()), text));
  }

  private void said(Boot boot, int java, String text) throws IOException {
    List<String> files = boot.lines().stream().filter(line -> line.startsWith("FILES ")).toList();
    String[] words = files.isEmpty() ? new String[] {"", "?", "?"} : files.get(0).split(" ");
    view.line(
        String.format(
            "boot %d: Java %d, %s; at its start %s segments on the NVDIMM, %s at home",
            tally.boots, java, text, words[1], words[2]));
  }

  private static String seconds(long nanos) {
    return nanos / 1_000_000_000 + " s";
  }

  @Override
  public CutsReport report() {
    return new CutsReport(
        tally.seed(),
        tally.cuts,
        workload.acknowledgedRecords(),
        0,
        tally.verified,
        tally.compared,
        tally.lost,
        tally.corrupt);
  }
}
