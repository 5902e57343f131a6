// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.disk.Forgotten;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The counts of a campaign, kept beside its disks, so that it can be taken up again. One thread.
 */
final class Tally {
  private static final String FILE = "tally.properties";
  private static final String MOMENT = "moment.";

  /** Of disks that forget, and of memory that does. */
  private static final String WRITES = "unflushed";

  private static final String LINES = "lines";

  private final Path file;
  private final long seed;
  int boots;
  int cuts;
  int instants;
  long verified;
  long compared;
  long lost;
  long corrupt;
  private Losses losses = Losses.NOTHING;

  /** Cuts and instants by what they came into the middle of. */
  private final Map<String, Integer> moments = new TreeMap<>();

  private Tally(Path file, long seed) {
    this.file = file;
    this.seed = seed;
  }

  /** A campaign that begins. */
  static Tally begin(Path folder, long seed) {
    return new Tally(folder.resolve(FILE), seed);
  }

  /** A campaign as it was saved last. */
  static Tally load(Path folder) throws IOException {
    Properties saved = new Properties();
    try (Reader in = Files.newBufferedReader(folder.resolve(FILE))) {
      saved.load(in);
    }
    Tally tally = begin(folder, Long.parseLong(saved.getProperty("seed")));
    tally.boots = Integer.parseInt(saved.getProperty("boots"));
    tally.cuts = Integer.parseInt(saved.getProperty("cuts"));
    tally.instants = Integer.parseInt(saved.getProperty("instants", "0"));
    tally.verified = Long.parseLong(saved.getProperty("verified"));
    tally.compared = Long.parseLong(saved.getProperty("compared"));
    tally.lost = Long.parseLong(saved.getProperty("lost"));
    tally.corrupt = Long.parseLong(saved.getProperty("corrupt"));
    tally.losses = new Losses(forgotten(saved, WRITES), forgotten(saved, LINES));
    for (String key : saved.stringPropertyNames()) {
      if (key.startsWith(MOMENT)) {
        tally.moments.put(key.substring(MOMENT.length()), Integer.parseInt(saved.getProperty(key)));
      }
    }
    return tally;
  }

  private static Forgotten forgotten(Properties saved, String key) {
    return new Forgotten(
        Long.parseLong(saved.getProperty(key, "0")),
        Long.parseLong(saved.getProperty(key + ".lost", "0")),
        Long.parseLong(saved.getProperty(key + ".torn", "0")));
  }

  private static void keep(Properties now, String key, Forgotten forgotten) {
    now.setProperty(key, Long.toString(forgotten.writes()));
    now.setProperty(key + ".lost", Long.toString(forgotten.lost()));
    now.setProperty(key + ".torn", Long.toString(forgotten.torn()));
  }

  /** A copy of the counts of cuts and instants by what they came into the middle of. */
  Map<String, Integer> moments() {
    return new TreeMap<>(moments);
  }

  /** Keeps the counts as they are after a boot. */
  void save() throws IOException {
    save(boots);
  }

  /**
   * Keeps the counts in the middle of a boot. If the campaign's own process ends in it, what the
   * boot's report promises, and takes back, is still to be taken.
   */
  void saveInBoot() throws IOException {
    save(boots - 1);
  }

  private void save(int bootsTaken) throws IOException {
    Properties now = new Properties();
    now.setProperty("seed", Long.toString(seed));
    now.setProperty("boots", Integer.toString(bootsTaken));
    now.setProperty("cuts", Integer.toString(cuts));
    now.setProperty("instants", Integer.toString(instants));
    now.setProperty("verified", Long.toString(verified));
    now.setProperty("compared", Long.toString(compared));
    now.setProperty("lost", Long.toString(lost));
    now.setProperty("corrupt", Long.toString(corrupt));
    keep(now, WRITES, losses.disks());
    keep(now, LINES, losses.memory());
    moments.forEach((moment, count) -> now.setProperty(MOMENT + moment, Integer.toString(count)));
    Path written = file.resolveSibling(FILE + ".new");
    try (Writer out = Files.newBufferedWriter(written)) {
      now.store(out, null);
    }
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  long seed() {
    return seed;
  }

  /**
   * The source of chance in a boot; follows from the seed and the boot's number. These are mixed
   * first: of seeds that follow each other a {@link Random} draws nearly the same number first.
   */
  Random chance() {
    return new Random(new SplittableRandom(seed * 1_000_003 + boots).nextLong());
  }

  /** The power was cut, in the middle of some things or of none, and caches were lost. */
  void cut(List<String> during, Losses lostThere) {
    cuts++;
    losses = losses.plus(lostThere);
    during.forEach(moment -> moments.merge(moment, 1, Integer::sum));
  }

  /** Counts the comparison of what a cut at an instant would have left. */
  void instant(
      List<String> during, Losses lostThere, long nowVerified, long nowLost, long nowCorrupt) {
    instants++;
    losses = losses.plus(lostThere);
    during.forEach(moment -> moments.merge(moment, 1, Integer::sum));
    compared += nowVerified;
    lost += nowLost;
    corrupt += nowCorrupt;
  }

  /** Counts the findings after a cut. */
  void found(long nowVerified, long nowLost, long nowCorrupt) {
    verified = nowVerified;
    compared += nowVerified;
    lost += nowLost;
    corrupt += nowCorrupt;
  }

  /**
   * The findings so far.
   *
   * @param acknowledged records that must be there
   * @param deleted records that the load itself has deleted
   */
  CutsReport report(long acknowledged, long deleted) {
    return new CutsReport(
        seed,
        cuts,
        instants,
        losses,
        moments(),
        acknowledged,
        deleted,
        verified,
        compared,
        lost,
        corrupt);
  }

  /** Nothing is gained by more cuts: the disks are evidence. */
  boolean bad() {
    return lost + corrupt > 0;
  }
}
