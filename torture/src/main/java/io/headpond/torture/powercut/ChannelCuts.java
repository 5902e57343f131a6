// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.guest.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A chain of rounds with the bare store: boot, check what the last cut left, claim, recover,
 * append, cut at a random moment.
 */
public final class ChannelCuts implements Campaign {
  private static final String DEVICE = "DEVICE ";
  private static final String BACK_END = "BACK-END ";

  /** The power is cut after so many acknowledgements at most, or during the start. */
  private static final int RECORDS_MAX = 600;

  /** Between two instants that are compared. */
  private static final int INSTANT_RECORDS_MAX = 40;

  /** In the middle of a start, or of a drain, which the guest doesn't repeat in a round. */
  private static final int INSTANTS_MEANWHILE = 3;

  /** One of so many rounds, where the command is at hand. */
  private static final int DRAIN_ROUNDS = 8;

  /** One of so many while drains were seldom hit. */
  private static final int DRAIN_ROUNDS_AT_FIRST = 2;

  private static final long START_NANOS_MAX = 1_500_000_000L;

  private final Guest guest;
  private final boolean control;
  private final Machine machine;
  private final Path lib;
  private final Path folder;
  private final CutsView view;
  private final Promises promises;
  private final Tally tally;
  private final ChannelJob job;
  private final Instants instants;
  private DrainJob drain;
  private int instantsPerRound;
  private boolean onDisk;

  private ChannelCuts(
      Guest guest,
      Path folder,
      Machine machine,
      boolean control,
      Tally tally,
      HostPrograms host,
      CutsView view)
      throws IOException {
    job = new ChannelJob(tally.seed());
    instants = new Instants(folder, host);
    this.guest = guest;
    this.control = control;
    this.machine = machine;
    promises = new Promises(folder);
    this.folder = folder;
    this.tally = tally;
    this.view = view;
    lib = Programs.gather(folder);
  }

  /**
   * On new disks.
   *
   * @param image what {@link GuestImage} made
   * @param folder for disks, consoles and reports; what was there is removed
   * @param machine of the guest
   * @param control plain files that nobody forces
   * @param seed records, settings and moments follow from it
   */
  public static ChannelCuts begin(
      Path image,
      Path folder,
      Machine machine,
      boolean control,
      long seed,
      HostPrograms host,
      CutsView view)
      throws IOException, InterruptedException {
    FolderRemoval.remove(folder, true);
    Guest guest = new Guest(image, folder, machine, host);
    guest.makeDisks();
    return new ChannelCuts(guest, folder, machine, control, new Tally(seed), host, view);
  }

  /**
   * From now on some rounds cut {@code headpond drain} instead of a store that is written to.
   *
   * @param command the jars of the headpond command
   */
  public ChannelCuts withDrains(List<Path> command) throws IOException {
    drain = new DrainJob(Programs.gather(folder.resolve("command"), command));
    return this;
  }

  /** From now on the tier is on the fast disk, and not the NVDIMM. */
  public ChannelCuts onDisk() {
    onDisk = true;
    return this;
  }

  /**
   * From now on each round also compares what cuts at earlier instants would have left.
   *
   * @param perRound how many; on ext4 only
   */
  public ChannelCuts withInstants(int perRound) {
    instantsPerRound = perRound;
    return this;
  }

  @Override
  public void round(int java) throws IOException, InterruptedException {
    rounds(setup(java), 1);
  }

  @Override
  public void check(int java) throws IOException, InterruptedException {
    check(setup(java));
  }

  private Setup setup(int java) throws IOException {
    if (control && !onDisk && machine.memory() == Memory.FORGETS) {
      return Setup.unpersisted(java);
    }
    if (control) {
      return onDisk && machine.disk() == Disk.FORGETS ? Setup.unflushed(java) : Setup.control(java);
    }
    return onDisk ? Setup.disk(java) : Setup.best(java);
  }

  /** Some rounds of one kind; each ends with a cut. */
  public void rounds(Setup setup, int count) throws IOException, InterruptedException {
    for (int i = 0; i < count && !tally.bad(); i++) {
      round(setup);
    }
  }

  private void round(Setup setup) throws IOException, InterruptedException {
    tally.boots++;
    Random random = tally.chance();
    boolean small = random.nextBoolean();
    boolean duringStart = tally.boots > 1 && random.nextInt(4) == 0;
    int records = 1 + random.nextInt(RECORDS_MAX);
    long nanos = duringStart ? random.nextLong(START_NANOS_MAX) : Aim.afterNanos(random);
    int drainRounds =
        Aim.seldom(Moment.DRAIN, tally.moments()) ? DRAIN_ROUNDS_AT_FIRST : DRAIN_ROUNDS;
    if (drain != null && tally.boots > 2 && !duringStart && random.nextInt(drainRounds) == 0) {
      drainRound(setup, random);
      return;
    }
    try (Boot boot = start(setup, small, true, 0)) {
      Aim aim = new Aim(boot, setup, small, this::progress);
      if (duringStart) {
        aim.awaitStart();
      } else {
        if (tally.boots > 1) {
          aim.awaitStart();
          compareMeanwhile(boot, Moment.RECOVERY, START_NANOS_MAX, random);
        }
        compareInstants(boot, aim, random);
        aim.awaitRecords(records);
        if (!control) {
          aim.awaitRarest(tally.moments(), random);
        }
      }
      cut(boot, nanos, setup, setup.promising() ? (small ? ", small tier" : ", large tier") : "");
    }
  }

  /** As many cuts as were asked for, but of which none is one: the guest goes on after each. */
  private void compareInstants(Boot boot, Aim aim, Random random)
      throws IOException, InterruptedException {
    for (int i = 0; i < instantsPerRound && !tally.bad(); i++) {
      aim.awaitRecords(1 + random.nextInt(INSTANT_RECORDS_MAX));
      if (random.nextBoolean()) {
        aim.awaitRarest(tally.moments(), random);
      }
      boot.runFor(Aim.afterNanos(random));
      compare(takeInstant(boot));
    }
  }

  /**
   * Some more, in the middle of something that takes place once in a round: the guest stands still
   * until they are compared.
   *
   * @param nanosMax it lasts about so long
   */
  private void compareMeanwhile(Boot boot, Moment moment, long nanosMax, Random random)
      throws IOException, InterruptedException {
    for (int i = 0; i < Math.min(INSTANTS_MEANWHILE, instantsPerRound) && !tally.bad(); i++) {
      boot.runFor(random.nextLong(nanosMax / INSTANTS_MEANWHILE));
      if (boot.lines().contains(moment.ends())) {
        return;
      }
      List<String> report = takeInstant(boot);
      instants.whileItStandsStill(boot, () -> compare(report));
    }
  }

  private List<String> takeInstant(Boot boot) throws IOException, InterruptedException {
    boot.stopAmidChanges();
    return instants.take(boot);
  }

  private void compare(List<String> report) throws IOException, InterruptedException {
    progress("comparing instant " + (tally.instants + 1));
    Checked found =
        Checked.of(
            instants.compare(tally.seed(), ChannelJob.LOG_DIRECTORY, promises.livingAfter(report)));
    found.findings().forEach(view::line);
    tally.instant(
        during(report), instants.losses(), found.verified(), found.lost(), found.corrupt());
  }

  private static List<String> during(List<String> report) {
    return Moment.underWay(report).stream().map(Moment::id).toList();
  }

  private void cut(Boot boot, long nanos, Setup setup, String kind)
      throws IOException, InterruptedException {
    boot.cutAfter(nanos);
    List<String> lines = boot.lines();
    List<String> during = during(lines);
    tally.cut(during, boot.losses());
    String moments = during.isEmpty() ? "" : ", cut in " + String.join(", ", during);
    take(lines, setup, kind + moments + boot.describeLosses());
  }

  /** Nobody writes: {@code headpond drain} is at work when the power goes. */
  private void drainRound(Setup setup, Random random) throws IOException, InterruptedException {
    String script = job.drain(setup, drain);
    try (Boot boot =
        guest.boot(tally.boots, script, List.of(lib, drain.command(), promises.living()))) {
      progress("waiting for the drain");
      boot.await(DrainJob::beganOrEnded);
      compareMeanwhile(boot, Moment.DRAIN, DrainJob.NANOS_MAX, random);
      cut(boot, random.nextLong(DrainJob.NANOS_MAX), setup, ", drained");
    }
  }

  private void progress(String text) {
    view.progress("boot " + tally.boots + ": " + text);
  }

  /** Check, go on, stop cleanly, check again. */
  public void finish(Setup setup) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    tally.boots++;
    try (Boot boot = start(setup, false, true, 50)) {
      progress("checking, writing, stopping cleanly");
      boot.awaitPowerOff();
      take(boot.lines(), setup, ", clean stop");
    }
    check(setup);
  }

  /** Check only. */
  public void check(Setup setup) throws IOException, InterruptedException {
    if (tally.bad()) {
      return;
    }
    tally.boots++;
    try (Boot boot = start(setup, false, false, 0)) {
      progress("checking");
      awaitChecked(boot, setup);
    }
  }

  private void awaitChecked(Boot boot, Setup setup) throws IOException, InterruptedException {
    try {
      boot.awaitPowerOff();
    } catch (IOException e) {
      if (setup.promising() || !boot.unmountable()) {
        throw e;
      }
      tally.found(0, promises.livingRecords(), 0);
      view.line(
          "boot " + tally.boots + ": " + setup + "; its file system can't be mounted any more");
      return;
    }
    take(boot.lines(), setup, ", only checked");
  }

  @Override
  public CutsReport report() {
    return tally.report(promises.livingRecords(), promises.deletedRecords());
  }

  private Boot start(Setup setup, boolean small, boolean write, long records)
      throws IOException, InterruptedException {
    Path configuration = folder.resolve("headpond.properties");
    Files.writeString(configuration, setup.configuration(small));
    String script = write ? job.write(setup, records, tally.chance().nextInt()) : job.check(setup);
    return guest.boot(tally.boots, script, List.of(lib, configuration, promises.living()));
  }

  private void take(List<String> lines, Setup setup, String kind) throws IOException {
    Checked found = Checked.of(lines);
    if (setup.promising()) {
      found.findings().forEach(view::line);
    }
    tally.found(found.verified(), found.lost(), found.corrupt());
    long records = promises.keep(lines);
    String below = after(DEVICE, lines);
    String backEnd = after(BACK_END, lines);
    view.line(
        String.format(
            "boot %d: %s%s; %s; %d more acknowledged%s",
            tally.boots,
            setup,
            kind,
            found,
            records,
            below.isEmpty() || setup.tier() != Setup.Tier.NVDIMM ? "" : "; " + below));
    if (!backEnd.isEmpty() && !backEnd.equals(setup.backEnd())) {
      throw new IOException("expected the back end " + setup.backEnd() + ", was: " + backEnd);
    }
  }

  /** The rest of the line that begins so; empty if there is none. */
  private static String after(String begin, List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(begin))
        .findFirst()
        .map(line -> line.substring(begin.length()))
        .orElse("");
  }
}
