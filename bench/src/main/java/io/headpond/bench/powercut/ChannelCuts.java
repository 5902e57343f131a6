// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.powercut;

import io.headpond.bench.powercut.guest.Acknowledged;
import io.headpond.bench.powercut.guest.PowerCutCheck;
import io.headpond.bench.powercut.guest.PowerCutWriter;
import io.headpond.bench.powercut.guest.Report;
import io.headpond.bench.process.FolderRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

  private static final long START_NANOS_MAX = 1_500_000_000L;
  private static final long AFTER_NANOS_MAX = 30_000_000;

  private final Guest guest;
  private final boolean control;
  private final Path lib;
  private final Path folder;
  private final CutsView view;
  private final Path promises;
  private final Acknowledged acknowledged = new Acknowledged();
  private final Tally tally;

  private ChannelCuts(Guest guest, Path folder, boolean control, Tally tally, CutsView view)
      throws IOException {
    this.guest = guest;
    this.control = control;
    this.folder = folder;
    this.tally = tally;
    this.view = view;
    lib = Programs.gather(folder);
    promises = folder.resolve("acknowledged");
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
    ChannelCuts cuts = new ChannelCuts(guest, folder, control, tally, view);
    Files.createFile(cuts.promises);
    tally.save();
    return cuts;
  }

  /** On the disks of an earlier campaign; its file system was ext4. */
  public static ChannelCuts resume(Path image, Path folder, HostPrograms host, CutsView view)
      throws IOException, InterruptedException {
    Tally tally = Tally.load(folder);
    if (tally.boots == 0) {
      return begin(image, folder, "ext4", false, tally.seed(), host, view);
    }
    Guest guest = new Guest(image, folder, Machine.small("ext4"), host);
    ChannelCuts cuts = new ChannelCuts(guest, folder, false, tally, view);
    Files.readAllLines(cuts.promises).forEach(cuts.acknowledged::line);
    cuts.takeInterrupted();
    return cuts;
  }

  /** What a boot promised that ended with the campaign's own process: a cut like the others. */
  private void takeInterrupted() throws IOException {
    Path report = folder.resolve("report-" + (tally.boots + 1));
    if (Files.exists(report)) {
      tally.boots++;
      keep(Boot.lines(report));
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
    try (Boot boot = start(setup, small, true, 0)) {
      if (duringStart) {
        boot.await(1, line -> line.startsWith("DEVICE"), n -> progress("starting"));
      } else {
        if (setup.matures()) {
          boot.await(1, "MATURE"::equals, n -> progress("writing until the JVM is mature"));
        }
        long before = boot.lines().stream().filter(ChannelCuts::acknowledges).count();
        boot.await(
            before + records,
            ChannelCuts::acknowledges,
            n -> progress(n == 0 ? "starting and checking" : n + " records acknowledged"));
      }
      boot.cutAfter(nanos);
      tally.cuts++;
      String tier = small ? ", small tier" : ", large tier";
      take(boot.lines(), setup, setup.mapped() ? tier : "", duringStart);
    }
  }

  private void progress(String text) {
    view.progress("boot " + tally.boots + ": " + text);
  }

  private static boolean acknowledges(String line) {
    return line.startsWith(Report.ACKNOWLEDGED + " ");
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
      take(boot.lines(), setup, ", clean stop", false);
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
      take(boot.lines(), setup, ", only checked", false);
    }
  }

  @Override
  public CutsReport report() {
    long living =
        acknowledged.living().values().stream().mapToLong(partition -> partition.size()).sum();
    return new CutsReport(
        tally.seed(),
        tally.cuts,
        living,
        acknowledged.records() - living,
        tally.verified,
        tally.compared,
        tally.lost,
        tally.corrupt);
  }

  private Boot start(Setup setup, boolean small, boolean write, long records)
      throws IOException, InterruptedException {
    Path configuration = folder.resolve("headpond.properties");
    Files.writeString(configuration, setup.configuration(small));
    String job =
        "mkdir -p "
            + LOG_DIRECTORY
            + " /home/fast /pmem/tier\n"
            + setup.command(PowerCutCheck.class)
            + String.format(
                " %d %s /app/acknowledged %s || exit 10\n", tally.seed(), LOG_DIRECTORY, PORT);
    if (write) {
      int bootSeed = tally.chance().nextInt();
      job +=
          setup.command(PowerCutWriter.class)
              + String.format(
                  " %d %s /app/headpond.properties /pmem/tier %s %d %d || exit 11\n",
                  tally.seed(), LOG_DIRECTORY, PORT, records, bootSeed);
    }
    return guest.boot(tally.boots, job, List.of(lib, configuration, promises), "cpu");
  }

  private void take(List<String> lines, Setup setup, String kind, boolean duringStart)
      throws IOException {
    if (setup.mapped()) {
      lines.stream().filter(line -> line.startsWith("BAD ")).forEach(view::line);
    }
    String device = first(lines, "DEVICE ");
    String found = count(first(lines, "CHECK "));
    long records = keep(lines);
    tally.save();
    String done = duringStart ? "cut during the start" : records + " more acknowledged";
    String below = device.isEmpty() || !setup.mapped() ? "" : "; " + device;
    view.line(
        String.format("boot %d: %s%s; %s; %s%s", tally.boots, setup, kind, found, done, below));
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

  /** Keeps what was promised; returns how many records were acknowledged. */
  private long keep(List<String> lines) throws IOException {
    List<String> promised = lines.stream().filter(Acknowledged::promises).toList();
    promised.forEach(acknowledged::line);
    Files.write(promises, promised, StandardOpenOption.APPEND);
    return promised.stream().filter(ChannelCuts::acknowledges).count();
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
