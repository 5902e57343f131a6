// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.bookkeeper.BookieNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The places of a {@link BookieGuest}'s entry logs. */
public enum GuestLedgers {
  /** At home, in BookKeeper's sorted storage. */
  AT_HOME {
    @Override
    void configure(BookieNode node) {
      node.set("ledgerStorageClass", "org.apache.bookkeeper.bookie.SortedLedgerStorage")
          .set("skipListSizeLimit", Long.toString(8 * MIB))
          .set("logSizeLimit", Long.toString(16 * MIB));
    }
  },

  /** New ones on the fast device, sealed ones at home; the index at home, by RocksDB. */
  TIERED {
    /** So small that some are sealed, and moved, in each round. */
    @Override
    void configure(BookieNode node) {
      node.set("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage")
          .set("dbStorage_writeCacheMaxSizeMb", "4")
          .set("dbStorage_readAheadCacheMaxSizeMb", "4")
          .set("dbStorage_rocksDB_blockCacheSize", Long.toString(4 * MIB))
          .set("logSizeLimit", Long.toString(MIB / 2))
          .set("gcWaitTime", "1000")
          .set("minorCompactionInterval", "2")
          .set("majorCompactionInterval", "4");
    }

    /** Some more, so that a log has entries of deleted ledgers and of others. */
    @Override
    int entriesPerLedger() {
      return 150;
    }

    @Override
    boolean thinned() {
      return true;
    }

    @Override
    Map<String, String> withHeadpond(Random random, FastDevice fast) {
      Map<String, String> settings = new TreeMap<>();
      settings.put("ledgerStorageClass", "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage");
      settings.put("headpond.ledger.fast.directories", fast.directory(LEDGERS));
      settings.put("headpond.ledger.fast.capacity", "48MiB");
      // Every sealed log moves, or those that came before the newest MiB.
      settings.put("headpond.ledger.migrate.threshold", random.nextBoolean() ? "0" : "0.02");
      // As slow as may be, so that a cut can come into the middle of a move.
      settings.put("headpond.ledger.migrate.bytes.per.second", "1MiB");
      settings.put("useTransactionalCompaction", Boolean.toString(random.nextBoolean()));
      return settings;
    }

    @Override
    String job(FastDevice fast) {
      return ("mkdir -p " + fast.directory(LEDGERS) + "\necho " + LOGS)
          + count("current -name '*.log' -type l")
          + count("current -name '*.log' -type f")
          + count("-name '*.move'")
          + " >/dev/report\n"
          + ("(while :; do for f in " + HOME + "/*.move; do [ -e \"$f\" ] && echo " + MOVE)
          + " >/dev/report; done; usleep 50000; done) &\n";
    }

    @Override
    List<String> awaitMoment(Boot boot, Random random) throws IOException, InterruptedException {
      int wanted = random.nextInt(MOMENTS.size() + 1);
      if (wanted == MOMENTS.size()) {
        return List.of();
      }
      Moment moment = MOMENTS.get(wanted);
      long before = moment.seen(boot);
      long limit = System.nanoTime() + MOMENT_LIMIT_NANOS;
      while (System.nanoTime() < limit) {
        boot.check();
        if (moment.seen(boot) > before) {
          Thread.sleep(random.nextInt(moment.lastsMillis() + 1));
          return List.of(moment.name());
        }
        Thread.sleep(POLL_MILLIS);
      }
      return List.of();
    }

    @Override
    String describe(Boot boot) throws IOException {
      return String.format(
          "; at its start %s entry logs on the fast device, %s at home, %s moves unfinished",
          boot.reported(LOGS, 3).toArray());
    }
  };

  /** The ledger directory. */
  static final String HOME = "/home/ledgers";

  /** Logs the lines of two of the moments. */
  static final String COLLECTOR = "org.apache.bookkeeper.bookie.GarbageCollectorThread";

  private static final String LEDGERS = "ledgers";

  private static final String LOGS = "LOGS";
  private static final String MOVE = "MOVE";
  private static final long MOMENT_LIMIT_NANOS = 10_000_000_000L;
  private static final long POLL_MILLIS = 5;

  /** The collector goes from log to log: a cut up to so much later is still among them. */
  private static final int SERIES_MILLIS = 500;

  private static final long MIB = 1L << 20;
  private static final List<Moment> MOMENTS =
      List.of(
          new Moment("migration", MOVE, 0),
          new Moment("removal", "Removing entry log metadata", SERIES_MILLIS),
          new Moment("compaction", "Compaction progress", SERIES_MILLIS));

  private static String count(String find) {
    return " $(cd " + HOME + " && find " + find + " 2>/dev/null | wc -l)";
  }

  /**
   * Something that a cut should come into the middle of.
   *
   * @param said a part of a line that the guest reports or its bookie logs when it begins
   * @param lastsMillis at least
   */
  private record Moment(String name, String said, int lastsMillis) {
    long seen(Boot boot) throws IOException {
      return Stream.concat(boot.lines().stream(), boot.consoleText().lines())
          .filter(line -> line.contains(said))
          .count();
    }
  }

  /** Sets what holds with Headpond and without. */
  abstract void configure(BookieNode node);

  /** The settings of Headpond's variant that are left to chance. */
  Map<String, String> withHeadpond(Random random, FastDevice fast) {
    return Map.of();
  }

  /** A part of the guest's job, before the bookie starts: what must be there, what is reported. */
  String job(FastDevice fast) {
    return "";
  }

  /** After so many a client begins another ledger. */
  int entriesPerLedger() {
    return 700;
  }

  /** True if half of the ledgers are deleted in each round, before the load. */
  boolean thinned() {
    return false;
  }

  /** Waits in most rounds for something that happens to an entry log; what a cut now comes into. */
  List<String> awaitMoment(Boot boot, Random random) throws IOException, InterruptedException {
    return List.of();
  }

  /** The places of the logs at a boot's start, to be added to what is said of it. */
  String describe(Boot boot) throws IOException {
    return "";
  }
}
