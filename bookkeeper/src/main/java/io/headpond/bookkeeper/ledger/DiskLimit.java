// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import java.io.File;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.bookie.LedgerDirsManager.LedgerDirsListener;
import org.apache.bookkeeper.util.DiskChecker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * BookKeeper's limit for its ledger directories' disks ({@code diskUsageThreshold}), which is
 * lifted while each of them either keeps it or has a fast device that takes the entry logs.
 *
 * <p>BookKeeper's own monitor goes on to look and to decide: with the limit in force it makes a
 * bookie with full disks read-only, and writable again below {@code
 * diskLowWaterMarkUsageThreshold}. The limit is a field that its {@code DiskChecker} keeps to
 * itself, the same in 4.16 to 4.18. Any thread.
 */
final class DiskLimit {
  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  /** No disk is used by more. */
  private static final float NONE = 2;

  private static final VarHandle LIMIT = limit();

  private final LedgerDirsManager directories;
  private final float configured;
  private final List<LedgerHome> homes = new CopyOnWriteArrayList<>();
  private boolean lifted;
  private boolean borne;

  /** Has a flush found no room, and is the bookie read-only since? */
  private boolean flushLackedRoom;

  /**
   * The limit of a bookie.
   *
   * @param directories all ledger directories
   */
  DiskLimit(final LedgerDirsManager directories) {
    this.directories = directories;
    configured = directories.getDiskChecker().getDiskUsageThreshold();
  }

  private static VarHandle limit() {
    final String name = "diskUsageThreshold";
    try {
      return MethodHandles.privateLookupIn(DiskChecker.class, MethodHandles.lookup())
          .findVarHandle(DiskChecker.class, name, float.class);
    } catch (final ReflectiveOperationException e) {
      throw BookieCodes.BOOKKEEPER_UNKNOWN.refusal(name, e);
    }
  }

  /** As configured. */
  float configured() {
    return configured;
  }

  /** One more ledger directory. */
  void add(final LedgerHome home) {
    homes.add(home);
  }

  /** Lifts the limit, or puts it into force, as the homes are now. */
  synchronized void update() {
    final boolean bear = homes.stream().allMatch(home -> home.comfortable() || home.bearsFull());
    final boolean lift = bear && homes.stream().anyMatch(LedgerHome::bearsFull);
    if (lift != lifted) {
      lifted = lift;
      LIMIT.setVolatile(directories.getDiskChecker(), lift ? NONE : configured);
    }
    final boolean bearing = lift && !homes.stream().allMatch(LedgerHome::comfortable);
    if (bearing != borne) {
      borne = bearing;
      if (bearing) {
        BookieCodes.LIMIT_LIFTED.log(directories.getAllLedgerDirs(), configured);
      } else {
        LOG.info("{}: diskUsageThreshold is in force again", directories.getAllLedgerDirs());
      }
    }
    if (bearing) {
      for (final File full : List.copyOf(directories.getFullFilledLedgerDirs())) {
        directories.addToWritableDirs(full, false);
      }
    }
  }

  /**
   * A flush has ended, on the thread by which BookKeeper does so. One that found no room makes the
   * bookie read-only. BookKeeper's monitor ends that for a disk that it has found full itself; but
   * it looks every ten seconds, and may have found none.
   *
   * @param lackedRoom did it find no room?
   * @param room is there room for the next one?
   */
  synchronized void flushed(final boolean lackedRoom, final BooleanSupplier room) {
    if (lackedRoom) {
      flushLackedRoom = true;
    } else if (flushLackedRoom
        && directories.getFullFilledLedgerDirs().isEmpty()
        && room.getAsBoolean()) {
      flushLackedRoom = false;
      LOG.info("{}: there is room again for a flush", directories.getAllLedgerDirs());
      directories.getListeners().forEach(LedgerDirsListener::allDisksWritable);
    }
  }
}
