// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.bookkeeper.BookieFacts;
import io.headpond.bookkeeper.BookieObservation;
import io.headpond.bookkeeper.BookieSettings;
import io.headpond.bookkeeper.WriteAccess;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.store.config.ConfigException;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.RefusedStart;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.migrate.Pace;
import io.netty.buffer.ByteBufAllocator;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.bookkeeper.bookie.BookieException;
import org.apache.bookkeeper.bookie.CheckpointSource;
import org.apache.bookkeeper.bookie.CheckpointSource.Checkpoint;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.bookie.LedgerDirsManager.NoWritableLedgerDirException;
import org.apache.bookkeeper.bookie.storage.EntryLogger;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.apache.bookkeeper.bookie.storage.ldb.SingleDirectoryDbLedgerStorage;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.meta.LedgerManager;
import org.apache.bookkeeper.stats.StatsLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * BookKeeper's {@code DbLedgerStorage} with its entry logs in two places: new ones in a directory
 * on a fast device, sealed ones migrated to the ledger directory.
 *
 * <p>A bookie names it: {@code
 * ledgerStorageClass=io.headpond.bookkeeper.ledger.TieredDbLedgerStorage}, with {@link LedgerKeys}
 * in the same file. {@code ledgerDirectories}, the index and the cookie stay as they are; a bookie
 * with {@code DbLedgerStorage} on the same directories reads everything at every instant, through
 * symbolic links, as long as the fast device is there.
 *
 * <p>It plugs in where {@code DbLedgerStorage} lets subclasses make the storage of one directory,
 * and hands on another entry logger there. BookKeeper 4.17 added a parameter to that method; the
 * plug-in is compiled against 4.16 and calls the newer one by a method handle: the same {@code
 * super} call, only linked when it is made.
 *
 * <p><b>Threads.</b> As {@code DbLedgerStorage}: the bookie's, many at a time, once {@link
 * #initialize} has returned.
 *
 * <p><b>Errors.</b> What would lose or hide an entry ends the process in {@link #initialize}. A
 * flush that failed fails every later checkpoint until the restart (HP0819).
 */
@SuppressWarnings("ProtectedMembersInFinalClass") // a hook is, in newer releases
public final class TieredDbLedgerStorage extends DbLedgerStorage {
  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");
  private static final String HOOK = "newSingleDirectoryDbLedgerStorage";

  private final List<Tiered> tiered = new ArrayList<>();
  private final Consumer<EntryLogMigrator.Step> steps;
  private final UnaryOperator<Path> devices;
  private final Consumer<StoreRefusedException> refused;
  private LedgerConfig config;
  private DiskLimit limit;

  /** Parts of one ledger directory. */
  record Tiered(
      EntryLogPlaces places,
      LedgerHome home,
      Device device,
      EntryLogDirectories directories,
      TieredEntryLogger logger,
      EntryLogMigrator migrator,
      FlushGuard guard) {}

  /** BookKeeper's own construction of the storage of one directory, over another logger. */
  @FunctionalInterface
  private interface Construction {
    SingleDirectoryDbLedgerStorage over(EntryLogger logger) throws IOException;
  }

  /** By the bookie. */
  public TieredDbLedgerStorage() {
    this(step -> {}, path -> path, RefusedStart::end);
  }

  /**
   * For tests.
   *
   * @param steps is told of each step of each move
   * @param devices may answer a directory in another file system
   * @param refused ends the process
   */
  TieredDbLedgerStorage(
      final Consumer<EntryLogMigrator.Step> steps,
      final UnaryOperator<Path> devices,
      final Consumer<StoreRefusedException> refused) {
    this.refused = refused;
    this.steps = steps;
    this.devices = devices;
  }

  /**
   * Opens the storage.
   *
   * @throws IOException if a directory can't be read or written
   */
  @Override
  public void initialize(
      final ServerConfiguration conf,
      final LedgerManager ledgerManager,
      final LedgerDirsManager ledgerDirsManager,
      final LedgerDirsManager indexDirsManager,
      final StatsLogger statsLogger,
      final ByteBufAllocator allocator)
      throws IOException {
    try {
      config = config(conf);
      limit = new DiskLimit(ledgerDirsManager);
      try {
        super.initialize(
            conf, ledgerManager, ledgerDirsManager, indexDirsManager, statsLogger, allocator);
      } catch (final AccessDeniedException e) {
        throw WriteAccess.refusal(e);
      }
    } catch (final StoreRefusedException e) {
      refused.accept(e);
      throw e;
    }
    limit.update(); // before the bookie decides whether to start read-only
  }

  private static LedgerConfig config(final ServerConfiguration conf) {
    LedgerConfig.refuseSettings(key -> conf.getBoolean(key, false));
    final Map<String, String> keys = new HashMap<>();
    final Iterator<String> names = conf.getKeys();
    while (names.hasNext()) {
      final String key = names.next();
      if (key.startsWith(LedgerKeys.PREFIX)) {
        keys.put(key, String.join(",", conf.getStringArray(key)));
      }
    }
    final List<Path> ledgerDirectories = new ArrayList<>();
    for (final File directory : conf.getLedgerDirs()) {
      ledgerDirectories.add(directory.toPath());
    }
    try {
      BookieSettings.refuseUnknown(conf.getKeys());
      return LedgerConfig.parse(keys, ledgerDirectories);
    } catch (final ConfigException e) {
      throw StartCodes.CONFIGURATION.refusal(e.getMessage(), e);
    }
  }

  /** BookKeeper 4.16's hook. */
  @Override
  protected SingleDirectoryDbLedgerStorage newSingleDirectoryDbLedgerStorage(
      final ServerConfiguration conf,
      final LedgerManager ledgerManager,
      final LedgerDirsManager ledgerDirsManager,
      final LedgerDirsManager indexDirsManager,
      final EntryLogger entryLogger,
      final StatsLogger statsLogger,
      final long writeCacheSize,
      final long readCacheSize,
      final int readAheadCacheBatchSize)
      throws IOException {
    return tiered(
        conf,
        ledgerDirsManager,
        indexDirsManager,
        entryLogger,
        statsLogger,
        logger ->
            super.newSingleDirectoryDbLedgerStorage(
                conf,
                ledgerManager,
                ledgerDirsManager,
                indexDirsManager,
                logger,
                statsLogger,
                writeCacheSize,
                readCacheSize,
                readAheadCacheBatchSize));
  }

  /** The hook of BookKeeper 4.17 and later: an override there, a method of its own in 4.16. */
  protected SingleDirectoryDbLedgerStorage newSingleDirectoryDbLedgerStorage(
      final ServerConfiguration conf,
      final LedgerManager ledgerManager,
      final LedgerDirsManager ledgerDirsManager,
      final LedgerDirsManager indexDirsManager,
      final EntryLogger entryLogger,
      final StatsLogger statsLogger,
      final long writeCacheSize,
      final long readCacheSize,
      final int readAheadCacheBatchSize,
      final long readAheadCacheBatchBytesSize)
      throws IOException {
    final MethodHandle hook = newerHook();
    return tiered(
        conf,
        ledgerDirsManager,
        indexDirsManager,
        entryLogger,
        statsLogger,
        logger -> {
          try {
            return (SingleDirectoryDbLedgerStorage)
                hook.invokeExact(
                    this,
                    conf,
                    ledgerManager,
                    ledgerDirsManager,
                    indexDirsManager,
                    logger,
                    statsLogger,
                    writeCacheSize,
                    readCacheSize,
                    readAheadCacheBatchSize,
                    readAheadCacheBatchBytesSize);
          } catch (final IOException | RuntimeException | Error e) {
            throw e;
          } catch (final Throwable e) {
            throw new IOException(e);
          }
        });
  }

  private static MethodHandle newerHook() {
    try {
      return MethodHandles.lookup()
          .findSpecial(
              DbLedgerStorage.class,
              HOOK,
              MethodType.methodType(
                  SingleDirectoryDbLedgerStorage.class,
                  ServerConfiguration.class,
                  LedgerManager.class,
                  LedgerDirsManager.class,
                  LedgerDirsManager.class,
                  EntryLogger.class,
                  StatsLogger.class,
                  long.class,
                  long.class,
                  int.class,
                  long.class),
              TieredDbLedgerStorage.class);
    } catch (final ReflectiveOperationException e) {
      throw BookieCodes.BOOKKEEPER_UNKNOWN.refusal(HOOK, e);
    }
  }

  private SingleDirectoryDbLedgerStorage tiered(
      final ServerConfiguration conf,
      final LedgerDirsManager homeDirectories,
      final LedgerDirsManager indexDirectories,
      final EntryLogger replaced,
      final StatsLogger statsLogger,
      final Construction construction)
      throws IOException {
    final Path home = home(homeDirectories);
    final Path index = indexDirectories.getAllLedgerDirs().get(0).toPath();
    PlaceCheck.refuseOtherIndex(home, index);
    final EntryLogPlaces places =
        EntryLogPlaces.open(devices.apply(home), devices.apply(config.fast().get(home)));
    replaced.close();
    final LedgerHome room =
        new LedgerHome(devices.apply(home), index, config.homeBallastBytes(), limit.configured());
    LostLogs.leaveIndex(devices.apply(home), index, conf);
    final ServerConfiguration ours = new ServerConfiguration(conf);
    ours.setEntryLogFilePreAllocationEnabled(false);
    final Pace pace = new Pace(config.bytesPerSecond(), System.nanoTime());
    final EntryLogDirectories directories =
        new EntryLogDirectories(ours, homeDirectories, places, room, config.capacityBytes());
    final TieredEntryLogger logger =
        new TieredEntryLogger(ours, directories, places, room, pace, statsLogger, allocator);
    final long minRoom = conf.getMinUsableSizeForEntryLogCreation();
    final EntryLogMigrator migrator =
        new EntryLogMigrator(logger, directories, places, config, pace, minRoom, steps);
    logger.onNewLog(migrator::wake);
    room.logs(directories::fastHasRoom, places::homeLogBytes);
    limit.add(room);
    // From here on the index is open and locked: nobody else uses this ledger directory.
    final SingleDirectoryDbLedgerStorage storage = construction.over(logger);
    places.recover(System.currentTimeMillis());
    final Device device = Device.detect(places.fast());
    final FlushGuard guard = new FlushGuard(storage, logger, places, room);
    final Tiered one = new Tiered(places, room, device, directories, logger, migrator, guard);
    tiered.add(one);
    announce(one);
    return storage;
  }

  private static Path home(final LedgerDirsManager directories) {
    final File current = directories.getAllLedgerDirs().get(0);
    return current.getParentFile().toPath().toAbsolutePath().normalize();
  }

  private void announce(final Tiered one) throws IOException {
    LOG.info(
        "entry logs: new ones in {}, at most {} B; sealed ones go to {} above a used share of {}",
        one.device(),
        one.directories().capacityBytes(),
        one.places().home(),
        config.threshold());
    config.tooLarge(one.places().fast()).ifPresent(Words::log);
    if (one.device().durability() != Durability.DURABLE) {
      StartCodes.TIER_NOT_DURABLE.log(
          BookieCodes.ENTRY_LOGS,
          one.places().fast(),
          one.device().durability(),
          one.device().explanation(),
          one.places().fast());
    }
  }

  /** BookKeeper's limit of its disks. */
  DiskLimit limit() {
    return limit;
  }

  /** One for each ledger directory. */
  List<Tiered> tiered() {
    return List.copyOf(tiered);
  }

  @Override
  public void setCheckpointSource(final CheckpointSource source) {
    tiered.forEach(one -> one.guard().setCheckpointSource(source));
  }

  @Override
  public void checkpoint(final Checkpoint checkpoint) throws IOException {
    flushing(guard -> guard.checkpoint(checkpoint));
  }

  @Override
  public void flush() throws IOException {
    flushing(FlushGuard::flush);
  }

  /** A flush of one ledger directory. */
  @FunctionalInterface
  private interface Flush {
    void of(FlushGuard guard) throws IOException;
  }

  private void flushing(final Flush flush) throws IOException {
    boolean lackedRoom = false;
    try {
      for (final Tiered one : tiered) {
        flush.of(one.guard());
      }
    } catch (final NoWritableLedgerDirException e) {
      lackedRoom = true;
      throw e;
    } finally {
      limit.flushed(lackedRoom, this::haveRoom);
    }
  }

  private boolean haveRoom() {
    return tiered.stream()
        .allMatch(one -> !one.home().refused() && one.directories().haveRoomForLog());
  }

  /**
   * Sets a ledger's key, unless it is that. BookKeeper would note what it knows of the ledger once
   * more, and 4.18 writes something else the second time: zeros in place of the key, and no limbo,
   * so that a bookie that lost entries, and is killed while it asks others for them, would say that
   * they never were.
   */
  @Override
  public void setMasterKey(final long ledger, final byte[] key) throws IOException {
    if (!hasMasterKey(ledger, key)) {
      super.setMasterKey(ledger, key);
    }
  }

  private boolean hasMasterKey(final long ledger, final byte[] key) throws IOException {
    try {
      return ledgerExists(ledger) && Arrays.equals(readMasterKey(ledger), key);
    } catch (final BookieException deletedMeanwhile) {
      return false;
    }
  }

  private List<BookieFacts.EntryLogs> facts() {
    return tiered.stream().map(one -> EntryLogMetrics.facts(one, config.threshold())).toList();
  }

  @Override
  public void start() {
    super.start();
    BookieObservation.entryLogs(this, this::facts);
    tiered.forEach(one -> one.migrator().start());
    tiered.forEach(one -> one.home().start(limit::update));
  }

  @Override
  public void shutdown() throws InterruptedException {
    BookieObservation.remove(this);
    tiered.forEach(one -> one.home().close());
    tiered.forEach(one -> one.migrator().close());
    tiered.forEach(one -> one.guard().closing());
    super.shutdown();
  }
}
