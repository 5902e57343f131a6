// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.powercut;

import io.headpond.bench.powercut.guest.Moment;
import io.headpond.bench.powercut.guest.PowerCutCheck;
import io.headpond.bench.powercut.guest.PowerCutWriter;
import io.headpond.bench.process.FolderRemoval;
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
  private static final String LOG_DIRECTORY = "/home/logs";
  private static final String PORT = "/dev/report";

  /** The power is cut after so many acknowledgements at most, or during the start. */
  private static final int RECORDS_MAX = 600;

  /** So many more are waited for until what the cut is aimed at begins. */
  private static final int AIM_RECORDS_MAX = 300;

  /** One of so many rounds, where the command is at hand. */
  private static final int DRAIN_ROUNDS = 8;

  /** What is rare comes by aiming only; recovery has rounds of its own. */
  private static final List<Moment> AIMS =
      List.of(
          Moment.ROLL,
          Moment.COMPACTION,
          Moment.SEGMENT_DELETION,
          Moment.TOPIC_DELETION,
          Moment.TRUNCATION,
          Moment.MIGRATION,
          Moment.MIGRATION);

  private static final long START_NANOS_MAX = 1_500_000_000L;
  private static final long AFTER_NANOS_MAX = 30_000_000;

  private final Guest guest;
  private final boolean control;
  private final Path lib;
  private final Path folder;
  private final CutsView view;
  private final Promises promises;
  private final Tally tally;
  private DrainJob drain;

  private ChannelCuts(
      Guest guest, Path folder, boolean control, Promises promises, Tally tally, CutsView view)
      throws IOException {
    this.guest = guest;
    this.control = control;
    this.promises = promises;
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
   * @param fileSystem of the NVDIMM: ext4 or xfs
   * @param control plain files that nobody forces
   * @param seed records, settings and moments follow from it
   */
  public static ChannelCuts begin(
      Path image,
      Path folder,
      String fileSystem,
      boolean control,
      long seed,
      HostPrograms host,
      CutsView view)
      throws IOException, InterruptedException {
    FolderRemoval.remove(folder, true);
    Guest guest = new Guest(image, folder, Machine.small(fileSystem), host);
    guest.makeDisks();
    Tally tally = Tally.begin(folder, seed);
    tally.save();
    return new ChannelCuts(guest, folder, control, Promises.begin(folder), tally, view);
  }

  /** On the disks of an earlier campaign; its file system was ext4. */
  public static ChannelCuts resume(Path image, Path folder, HostPrograms host, CutsView view)
      throws IOException, InterruptedException {
    Tally tally = Tally.load(folder);
    if (tally.boots == 0) {
      return begin(image, folder, "ext4", false, tally.seed(), host, view);
    }
    Guest guest = new Guest(image, folder, Machine.small("ext4"), host);
    ChannelCuts cuts = new ChannelCuts(guest, folder, false, Promises.load(folder), tally, view);
    cuts.takeInterrupted();
    return cuts;
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

  /** What a boot promised that ended with the campaign's own process: a cut like the others. */
  private void takeInterrupted() throws IOException {
    Path report = folder.resolve("report-" + (tally.boots + 1));
    if (Files.exists(report)) {
      tally.boots++;
      promises.keep(Boot.lines(report));
      tally.save();
    }
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
    return control ? Setup.control(java) : Setup.best(java);
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
    long nanos = random.nextLong(duringStart ? START_NANOS_MAX : AFTER_NANOS_MAX);
    Moment aim = AIMS.get(random.nextInt(AIMS.size()));
    if (drain != null && tally.boots > 2 && !duringStart && random.nextInt(DRAIN_ROUNDS) == 0) {
      drainRound(setup, random.nextLong(DrainJob.NANOS_MAX));
      return;
    }
    try (Boot boot = start(setup, small, true, 0)) {
      if (duringStart) {
        boot.await(1, line -> line.startsWith("DEVICE"), n -> progress("starting"));
      } else {
        awaitRecords(boot, setup, records);
        if (!control) {
          awaitBeginning(boot, aim);
        }
      }
      cut(boot, nanos, setup, setup.mapped() ? (small ? ", small tier" : ", large tier") : "");
    }
  }

  private void awaitRecords(Boot boot, Setup setup, int records)
      throws IOException, InterruptedException {
    if (setup.matures()) {
      boot.await(1, "MATURE"::equals, n -> progress("writing until the JVM is mature"));
    }
    long before = Promises.records(boot.lines());
    boot.await(
        before + records,
        Promises::acknowledges,
        n -> progress(n == 0 ? "starting and checking" : n + " records acknowledged"));
  }

  private void cut(Boot boot, long nanos, Setup setup, String kind)
      throws IOException, InterruptedException {
    boot.cutAfter(nanos);
    List<String> lines = boot.lines();
    List<String> during = Moment.underWay(lines).stream().map(Moment::id).toList();
    tally.cut(during);
    take(lines, setup, kind + (during.isEmpty() ? "" : ", cut in " + String.join(", ", during)));
  }

  /** Nobody writes: {@code headpond drain} is at work when the power goes. */
  private void drainRound(Setup setup, long nanos) throws IOException, InterruptedException {
    String job = checkJob(setup) + drain.script(setup, LOG_DIRECTORY);
    try (Boot boot =
        guest.boot(tally.boots, job, List.of(lib, drain.command(), promises.living()), "cpu")) {
      progress("waiting for the drain");
      boot.await(DrainJob::beganOrEnded);
      cut(boot, nanos, setup, ", drained");
    }
  }

  /** Waits for the next time that something begins; not for long: it may not happen. */
  private void awaitBeginning(Boot boot, Moment moment) throws IOException, InterruptedException {
    progress("waiting for " + moment.id());
    List<String> before = boot.lines();
    long begun = before.stream().filter(moment.begins()::equals).count();
    long records = Promises.records(before);
    boot.await(
        lines ->
            lines.stream().filter(moment.begins()::equals).count() > begun
                || Promises.records(lines) > records + AIM_RECORDS_MAX);
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
      boot.awaitPowerOff();
      take(boot.lines(), setup, ", only checked");
    }
  }

  @Override
  public CutsReport report() {
    return new CutsReport(
        tally.seed(),
        tally.cuts,
        tally.moments(),
        promises.livingRecords(),
        promises.deletedRecords(),
        tally.verified,
        tally.compared,
        tally.lost,
        tally.corrupt);
  }

  private Boot start(Setup setup, boolean small, boolean write, long records)
      throws IOException, InterruptedException {
    Path configuration = folder.resolve("headpond.properties");
    Files.writeString(configuration, setup.configuration(small));
    String job = checkJob(setup);
    if (write) {
      int bootSeed = tally.chance().nextInt();
      job +=
          setup.command(PowerCutWriter.class)
              + String.format(
                  " %d %s /app/headpond.properties /pmem/tier %s %d %d || exit 11\n",
                  tally.seed(), LOG_DIRECTORY, PORT, records, bootSeed);
    }
    return guest.boot(tally.boots, job, List.of(lib, configuration, promises.living()), "cpu");
  }

  private String checkJob(Setup setup) {
    return "mkdir -p "
        + LOG_DIRECTORY
        + " /home/fast /pmem/tier\n"
        + setup.command(PowerCutCheck.class)
        + String.format(" %d %s /app/living %s || exit 10\n", tally.seed(), LOG_DIRECTORY, PORT);
  }

  private void take(List<String> lines, Setup setup, String kind) throws IOException {
    if (setup.mapped()) {
      lines.stream().filter(line -> line.startsWith("BAD ")).forEach(view::line);
    }
    String device = first(lines, "DEVICE ");
    String found = count(first(lines, "CHECK "));
    long records = promises.keep(lines);
    tally.save();
    String below = device.isEmpty() || !setup.mapped() ? "" : "; " + device;
    view.line(
        String.format(
            "boot %d: %s%s; %s; %d more acknowledged%s",
            tally.boots, setup, kind, found, records, below));
    if (!device.isEmpty() && !device.startsWith(setup.backEnd() + " ")) {
      throw new IOException("expected the back end " + setup.backEnd() + ", was: " + device);
    }
  }

  /** What follows a word at the beginning of a line; empty if there is none. */
  private static String first(List<String> lines, String word) {
    return lines.stream()
        .filter(line -> line.startsWith(word))
        .map(line -> line.substring(word.length()))
        .findFirst()
        .orElse("");
  }

  /** {@code verified=N lost=N corrupt=N tail=N}. */
  private String count(String check) throws IOException {
    String[] words = check.split("[ =]");
    if (words.length != 8) {
      throw new IOException("the guest reported no check but '" + check + "'");
    }
    tally.found(Long.parseLong(words[1]), Long.parseLong(words[3]), Long.parseLong(words[5]));
    return String.format("found %s, lost %s, corrupt %s", words[1], words[3], words[5]);
  }
}
