// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.bookkeeper.BookieNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

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
          + EngineMoment.reportMoves(HOME);
    }

    @Override
    List<EngineMoment> moments() {
      List<EngineMoment> all = new ArrayList<>(OF_LOGS);
      all.addAll(super.moments());
      return all;
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

  /** Log the lines of most of the moments. */
  private static final String[] LOGGERS = {
    "org.apache.bookkeeper.bookie.GarbageCollectorThread",
    "org.apache.bookkeeper.bookie.JournalChannel",
    "org.apache.bookkeeper.bookie.Journal"
  };

  private static final String LEDGERS = "ledgers";

  private static final String LOGS = "LOGS";

  /** The collector goes from log to log: a cut up to so much later is still among them. */
  private static final int SERIES_MILLIS = 500;

  /** A new journal's first groups and, where files are used again, the next spare file. */
  private static final int ROLL_MILLIS = 100;

  private static final long MIB = 1L << 20;
  private static final List<EngineMoment> OF_THE_JOURNAL =
      List.of(
          new EngineMoment("journal_roll", "Opening journal", ROLL_MILLIS),
          new EngineMoment("checkpoint", "garbage collected journal", SERIES_MILLIS));

  private static final List<EngineMoment> OF_LOGS =
      List.of(
          EngineMoment.MIGRATION,
          new EngineMoment("removal", "Removing entry log metadata", SERIES_MILLIS),
          new EngineMoment("compaction", "Compaction progress", SERIES_MILLIS));

  /** The bookie's logging configuration, made in a folder of the host. */
  static Path logging(Path folder) throws IOException {
    return EngineJvm.logging(folder, LOGGERS);
  }

  private static String count(String find) {
    return " $(cd " + HOME + " && find " + find + " 2>/dev/null | wc -l)";
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

  /** The moments that a cut of its bookie is aimed at. */
  List<EngineMoment> moments() {
    return OF_THE_JOURNAL;
  }

  /** The places of the logs at a boot's start, to be added to what is said of it. */
  String describe(Boot boot) throws IOException {
    return "";
  }
}
