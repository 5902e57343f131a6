// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.powercut;

import io.headpond.bench.bookkeeper.BookieNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Where the bookie of a {@link BookieGuest} has its entry logs. */
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

  /** New ones on the NVDIMM, sealed ones at home; the index at home, by RocksDB. */
  TIERED {
    /** So small that some are sealed, and moved, in each round. */
    @Override
    void configure(BookieNode node) {
      node.set("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage")
          .set("dbStorage_writeCacheMaxSizeMb", "4")
          .set("dbStorage_readAheadCacheMaxSizeMb", "4")
          .set("dbStorage_rocksDB_blockCacheSize", Long.toString(4 * MIB))
          .set("logSizeLimit", Long.toString(MIB / 2));
    }

    @Override
    Map<String, String> withHeadpond(Random random) {
      Map<String, String> settings = new TreeMap<>();
      settings.put("ledgerStorageClass", "io.headpond.bookkeeper.ledger.TieredDbLedgerStorage");
      settings.put("headpond.ledger.fast.directories", FAST);
      settings.put("headpond.ledger.fast.capacity", "48MiB");
      // Every sealed log moves, or those that came before the newest MiB.
      settings.put("headpond.ledger.migrate.threshold", random.nextBoolean() ? "0" : "0.02");
      // As slow as may be, so that a cut can come into the middle of a move.
      settings.put("headpond.ledger.migrate.bytes.per.second", "1MiB");
      return settings;
    }

    @Override
    String job() {
      return ("mkdir -p " + FAST + "\necho " + LOGS)
          + count("current -name '*.log' -type l")
          + count("current -name '*.log' -type f")
          + count("-name '*.move'")
          + " >/dev/report\n"
          + ("(while :; do for f in " + HOME + "/*.move; do [ -e \"$f\" ] && echo " + MOVE)
          + " >/dev/report; done; usleep 50000; done) &\n";
    }

    @Override
    List<String> awaitMove(Boot boot, Random random) throws IOException, InterruptedException {
      if (random.nextInt(4) == 0) {
        return List.of();
      }
      long before = moves(boot);
      long limit = System.nanoTime() + MOVE_LIMIT_NANOS;
      while (System.nanoTime() < limit) {
        boot.check();
        if (moves(boot) > before) {
          return List.of("migration");
        }
        Thread.sleep(POLL_MILLIS);
      }
      return List.of();
    }

    @Override
    String describe(Boot boot) throws IOException {
      return String.format(
          "; at its start %s entry logs on the NVDIMM, %s at home, %s moves unfinished",
          boot.reported(LOGS, 3).toArray());
    }
  };

  /** The ledger directory. */
  static final String HOME = "/home/ledgers";

  private static final String FAST = "/pmem/ledgers";
  private static final String LOGS = "LOGS";
  private static final String MOVE = "MOVE";
  private static final long MOVE_LIMIT_NANOS = 30_000_000_000L;
  private static final long POLL_MILLIS = 5;
  private static final long MIB = 1L << 20;

  private static String count(String find) {
    return " $(cd " + HOME + " && find " + find + " 2>/dev/null | wc -l)";
  }

  private static long moves(Boot boot) throws IOException {
    return boot.lines().stream().filter(MOVE::equals).count();
  }

  /** Sets what holds with Headpond and without. */
  abstract void configure(BookieNode node);

  /** What Headpond's variant sets besides, left to chance. */
  Map<String, String> withHeadpond(Random random) {
    return Map.of();
  }

  /** A part of the guest's job, before the bookie starts: what must be there, what is reported. */
  String job() {
    return "";
  }

  /** Waits in most rounds for the next move of an entry log; what a cut now comes into. */
  List<String> awaitMove(Boot boot, Random random) throws IOException, InterruptedException {
    return List.of();
  }

  /** Where the logs lay at a boot's start, to be added to what is said of it. */
  String describe(Boot boot) throws IOException {
    return "";
  }
}
