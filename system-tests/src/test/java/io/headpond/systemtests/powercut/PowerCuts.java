// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A chain of rounds on one machine: boot, check what the last cut left, claim, recover, append, cut
 * at a random moment.
 */
final class PowerCuts {
  private static final String LOG_DIRECTORY = "/home/logs";
  private static final String PORT = "/dev/report";

  /** The power is cut after so many acknowledgements at most, or during the start. */
  private static final int RECORDS_MAX = 600;

  private static final long START_NANOS_MAX = 1_500_000_000L;

  private final Guest guest;
  private final Programs programs;
  private final Path folder;
  private final long seed;
  private final Random random;
  private final Path promises;
  private final Acknowledged acknowledged = new Acknowledged();
  private int round;
  private int cuts;
  private long verified;
  private long lost;
  private long corrupt;
  private Setup setup;

  PowerCuts(Path image, Path folder, String fileSystem, long seed) throws IOException {
    Guest.delete(folder);
    guest = new Guest(image, folder, fileSystem);
    programs = new Programs(folder);
    this.folder = folder;
    this.seed = seed;
    random = new Random(seed);
    promises = Files.createFile(folder.resolve("acknowledged"));
    say("seed " + seed + ", " + fileSystem + ", disks and consoles in " + folder);
  }

  private static void say(String text) {
    System.out.println("power cut: " + text);
  }

  /** Some rounds of one kind; each ends with a cut. */
  void rounds(Setup with, int count) throws IOException {
    setup = with;
    for (int i = 0; i < count; i++) {
      round++;
      boolean small = random.nextBoolean();
      boolean duringStart = round > 1 && random.nextInt(4) == 0;
      int records = 1 + random.nextInt(RECORDS_MAX);
      long nanos = (long) (random.nextDouble() * (duringStart ? START_NANOS_MAX : 30_000_000));
      String kind =
          setup
              + (small ? ", small tier" : ", large tier")
              + (duringStart ? ", cut during the start" : ", cut after " + records + " records");
      try (Boot boot = start(small, true, 0)) {
        if (duringStart) {
          boot.await(1, line -> line.startsWith("DEVICE"));
        } else {
          if (setup == Setup.JAVA_25_JEP352) {
            boot.await(1, "MATURE"::equals);
          }
          long before = boot.lines().stream().filter(PowerCuts::acknowledges).count();
          boot.await(before + records, PowerCuts::acknowledges);
        }
        boot.cutAfter(nanos);
        cuts++;
        take(boot.lines(), kind);
      }
    }
  }

  private static boolean acknowledges(String line) {
    return line.startsWith(Report.ACKNOWLEDGED + " ");
  }

  /** Check, go on, stop cleanly, check again. */
  void finish() throws IOException {
    round++;
    try (Boot boot = start(false, true, 50)) {
      boot.awaitPowerOff();
      take(boot.lines(), "clean stop");
    }
    check();
  }

  /** Check only. */
  void check() throws IOException {
    round++;
    try (Boot boot = start(false, false, 0)) {
      boot.awaitPowerOff();
      take(boot.lines(), "check");
    }
    say(
        "cuts "
            + cuts
            + ", records acknowledged "
            + acknowledged.records()
            + ", verified (after each cut, summed) "
            + verified
            + ", lost "
            + lost
            + ", corrupt "
            + corrupt
            + ", seed "
            + seed);
  }

  private Boot start(boolean small, boolean write, long records) throws IOException {
    Path configuration = folder.resolve("headpond.properties");
    Files.writeString(configuration, setup.configuration(small));
    String job =
        "mkdir -p "
            + LOG_DIRECTORY
            + " /home/fast /pmem/tier\n"
            + setup.java(PowerCutCheck.class)
            + String.format(" %d %s /app/acknowledged %s || exit 10\n", seed, LOG_DIRECTORY, PORT)
            + (write
                ? setup.java(PowerCutWriter.class)
                    + String.format(
                        " %d %s /app/headpond.properties /pmem/tier %s %d %d || exit 11\n",
                        seed, LOG_DIRECTORY, PORT, records, random.nextInt(1 << 30))
                : "");
    List<Path> files = new ArrayList<>(programs.files());
    files.add(configuration);
    files.add(promises);
    return guest.boot(job, files, "cpu");
  }

  private void take(List<String> lines, String kind) throws IOException {
    List<String> promised = new ArrayList<>();
    String device = "";
    String check = "";
    for (String line : lines) {
      String word = line.substring(0, Math.max(1, line.indexOf(' ')));
      switch (word) {
        case "DEVICE" -> device = line;
        case "CHECK" -> check = line;
        case "BAD" -> say(line);
        case "CLAIMED", "RECOVERED", "MATURE", "FINISHED" -> {}
        default -> {
          acknowledged.line(line);
          promised.add(line);
        }
      }
    }
    Files.write(promises, promised, StandardOpenOption.APPEND);
    count(check);
    say(
        "round "
            + round
            + ": "
            + kind
            + "; "
            + check
            + "; "
            + device
            + "; lines "
            + promised.size());
    if (!device.isEmpty() && !device.startsWith("DEVICE " + setup.backEnd() + " ")) {
      throw new IOException("expected the back end " + setup.backEnd() + ", was: " + device);
    }
  }

  private void count(String check) throws IOException {
    String[] words = check.split("[ =]");
    if (words.length != 9) {
      throw new IOException("the guest reported no check but '" + check + "'");
    }
    verified += Long.parseLong(words[2]);
    lost += Long.parseLong(words[4]);
    corrupt += Long.parseLong(words[6]);
  }

  long verified() {
    return verified;
  }

  long lost() {
    return lost;
  }

  long corrupt() {
    return corrupt;
  }
}
