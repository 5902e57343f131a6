// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.claim.Claim;
import io.headpond.store.claim.Home;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.CopyProgress;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Pace;
import io.headpond.store.migrate.TopicPatterns;
import io.headpond.store.partition.PartitionDirectories;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.ColdReads;
import io.headpond.store.segment.FileTimes;
import io.headpond.store.segment.HomeFileChannel;
import io.headpond.store.segment.Segment;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.TopicCounters;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The segments of an engine's log directories, wherever they lie.
 *
 * <p>Making one touches nothing. {@link #claim} makes this process the owner; without it, every
 * operation passes through to the file system, which follows the links. Paths are of the built-in
 * file system. Any thread.
 *
 * <p>Locks, in the order in which they are taken: a {@link PartitionDirectory}'s (names come and
 * go), then a {@link Segment}'s (its bytes and its file).
 */
public final class TieredStore implements AutoCloseable {
  private final StoreConfig config;
  private final DataAge dataAge;
  private final TimeSource time;
  private final Counters counters;
  private final Background background = new Background(this::backgroundFailed);
  private final Homes homes;
  private final TopicPatterns homeOnly;
  private final TopicCounters topics;
  private final Ownership ownership;

  /** Of an engine whose format isn't known. Touches nothing on disk. */
  public TieredStore(final StoreConfig config) {
    this(config, NewestRecord.UNKNOWN);
  }

  /**
   * Touches nothing on disk.
   *
   * @param newestRecord tells old data from new, for placement and migration
   */
  public TieredStore(final StoreConfig config, final NewestRecord newestRecord) {
    this(config, newestRecord, TimeSource.SYSTEM);
  }

  TieredStore(final StoreConfig config, final NewestRecord newestRecord, final TimeSource time) {
    this.config = config;
    this.time = time;
    counters = new Counters(time);
    dataAge = new DataAge(newestRecord, config.placementMaxAge().toMillis(), time);
    homeOnly = config.homeOnly();
    topics = new TopicCounters(config.metricsTopics(), config.tiers());
    homes = new Homes(config, counters.incidents, time);
    ownership = new Ownership(config, homes, counters, this::context, background, time);
  }

  /** The configuration. */
  public StoreConfig config() {
    return config;
  }

  /**
   * The store's present facts. Costs no I/O and waits for no append.
   *
   * @throws StoreClosedException if this process doesn't own the tiers
   */
  public StoreFacts facts() {
    if (!ownership.holds()) {
      throw new StoreClosedException();
    }
    return ownership.open().facts();
  }

  /** True if this process owns the tiers. */
  public boolean owner() {
    return ownership.holds();
  }

  /**
   * Makes this process the owner of the tiers and of every log directory that is there: locks,
   * checks, sweeps, starts threads. Does nothing with what it owns already. A log directory that
   * can't be taken over is left out, as long as there is another one.
   *
   * @throws StoreRefusedException if it can't be done safely; every later call throws the same
   * @throws IOException if a directory can't be read or written
   */
  public void claim() throws IOException {
    ownership.claim();
  }

  /**
   * Makes this process the owner of the tiers and of one log directory.
   *
   * @param logDir as configured
   * @param needed whether the engine can't go on with other log directories alone
   * @throws StoreRefusedException if it can't be done safely, and no other log directory is left;
   *     every later call throws the same
   * @throws IOException if this log directory is left out until the next start, or a directory
   *     can't be read or written
   */
  public void claim(final Path logDir, final boolean needed) throws IOException {
    ownership.claim(logDir, needed);
  }

  /**
   * An engine is about to claim a log directory, and then to list its logs. Until {@link #loaded}
   * nothing of a log that is there moves, unless the log rolls.
   *
   * @param logDir as configured
   */
  public void loads(final Path logDir) {
    homes.loads(logDir);
  }

  /**
   * The engine has loaded all logs of a log directory. Asks no device.
   *
   * @param logDir as configured
   */
  public void loaded(final Path logDir) {
    final Home home = homes.get(logDir);
    if (ownership.holds() && home != null) {
      ownership.open().catalogue().loaded(home.path()); // the clock's next tick wakes migration
    }
  }

  private StoreContext context(final Claim started) {
    return new StoreContext(
        config,
        counters,
        topics,
        dataAge,
        homes,
        new Pace(config.migrateBytesPerSecond(), time.nanos()),
        new ColdReads(config.readAheadBytes(), counters, background, time),
        started.bootMs(),
        time);
  }

  /**
   * Keeps the engine out of log directories that are left out.
   *
   * @param path absolute, by its log directory as configured
   * @throws IOException if it is such a log directory, or below one; says why
   */
  public void admit(final Path path) throws IOException {
    homes.admit(path);
  }

  /** True for a file in a log directory that is owned, or in a partition directory there. */
  public boolean atHome(final Path file) {
    return homes.around(file) != null;
  }

  /**
   * Opens a file of the engine's own at home for writing. This and each write first wait until home
   * has room that nobody takes at once.
   *
   * @return null if it isn't at home, or nothing waits for room there
   */
  public FileChannel openAtHome(
      final Path file, final Set<? extends OpenOption> options, final FileAttribute<?>... attrs)
      throws IOException {
    final HomeSpace space = homes.around(file);
    if (space == null || !space.watched()) {
      return null;
    }
    space.awaitRoomNow();
    return new HomeFileChannel(FileChannel.open(file, options, attrs), space);
  }

  /** True if a log directory is left out. */
  public boolean leavesOut() {
    return homes.anyRefused();
  }

  /** One move, to be made by the caller's thread. */
  SegmentMigration migration(final CopyProgress flow) {
    return ownership.open().migration(flow);
  }

  /** The threads of the store, and of what shows it. */
  public Background background() {
    return background;
  }

  private void backgroundFailed(final String name, final long failures, final Throwable cause) {
    BackgroundCodes.BACKGROUND_FAILED.log(name, failures, cause);
    counters.incidents.count(Incident.BACKGROUND_FAILED);
  }

  /** Chooses and makes moves. */
  Migrator migrator() {
    return ownership.open().migrator();
  }

  /** The segments that migration knows. */
  Catalogue catalogue() {
    return ownership.open().catalogue();
  }

  /** The log directories. */
  Homes homes() {
    return homes;
  }

  /** The tiers' directories, tier by tier, fastest first; none before the claim. */
  List<List<TierDirectory>> tiers() {
    final OpenStore now = ownership.open();
    return now == null ? List.of() : now.tiers();
  }

  /** The partition directories of which a segment was opened. */
  PartitionDirectories partitions() {
    return ownership.open().partitions();
  }

  /** Tier files that are there before their segments. */
  SpareFiles spares() {
    return ownership.open().spares();
  }

  /** The counters since the claim. */
  Counters counters() {
    return counters;
  }

  /** The same by topic. */
  TopicCounters topics() {
    return topics;
  }

  /**
   * True for the name of a segment in one of the log directories that the store looks after. That
   * is each one, but of a topic that stays home only what still leads into a tier, and what lies
   * beside a segment that the store has open. Costs no I/O, but for a topic that stays home.
   *
   * @param path absolute and normalised
   */
  public boolean diverts(final Path path) {
    return homes.isSegment(path)
        && (!staysHome(path) || hasOpen(path.getParent()) || leadsToTier(path));
  }

  /**
   * True for a segment of a topic that stays home. Costs no I/O.
   *
   * @param name {@code partition/segment}
   */
  public boolean staysHome(final Path name) {
    return homeOnly.match(SegmentName.topic(name.getParent().getFileName().toString()));
  }

  private boolean hasOpen(final Path directory) {
    return ownership.holds() && ownership.open().hasOpen(homes.canonical(directory));
  }

  /** Before the claim too: a tier is known by its configured path. */
  private boolean leadsToTier(final Path name) {
    try {
      final Path target = NameLook.target(name);
      return target != null && config.tierPaths().anyMatch(target::startsWith);
    } catch (final IOException e) {
      return true; // what the store is asked next says what is wrong
    }
  }

  /**
   * Opens a segment; an open for writing makes this process the owner.
   *
   * @param name a name that {@link #diverts}
   * @param options that the platform allows together
   * @throws IOException as {@link FileChannel#open}; also if the store is refused
   */
  public FileChannel open(
      final Path name,
      final Set<? extends OpenOption> options,
      final FileAttribute<?>... attributes)
      throws IOException {
    final boolean writing =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    if (!ownership.holds()) {
      if (!writing) {
        return FileChannel.open(name, options, attributes);
      }
      claimForWriting(name);
    }
    homes.admit(name);
    return ownership.open().names().open(name, options, writing, attributes);
  }

  private void claimForWriting(final Path name) throws IOException {
    try {
      claim(name.getParent().getParent(), false);
    } catch (final StoreRefusedException e) {
      throw new IOException(name + ": " + PlainText.reason(e), e);
    }
  }

  /**
   * Deletes a file or directory; a segment's tier file goes with its name.
   *
   * @throws IOException as {@link Files#delete}
   */
  public void delete(final Path name) throws IOException {
    if (ownership.holds()) {
      homes.admit(name);
      ownership.open().nameChanges().delete(name);
    } else {
      Files.delete(name);
    }
  }

  /**
   * Renames a segment or a partition directory.
   *
   * @throws IOException as {@link Files#move}
   */
  public void move(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    if (ownership.holds()) {
      homes.admit(source);
      homes.admit(target);
      ownership.open().nameChanges().move(source, target, options);
    } else {
      Files.move(source, target, options);
    }
  }

  /**
   * Seals the segments of a log that goes on in one which the engine has made around this store:
   * they end where their last byte is, before anything can be acknowledged in that one.
   *
   * @param name that segment's; if it is open here nothing is done
   * @throws IOException if a device fails
   */
  public void sealBefore(final Path name) throws IOException {
    if (ownership.holds()) {
      ownership.open().names().sealBefore(name);
    }
  }

  /**
   * Sets the times of a segment's file, as Kafka gives a compaction's output those of its sources.
   * One that is open is cut to its end before, because the cut would be a change of its own.
   *
   * @param name a name that {@link #diverts}
   * @throws IOException if a device fails; as {@code times} throws it
   */
  public void setTimes(final Path name, final FileTimes times) throws IOException {
    if (ownership.holds()) {
      ownership.open().names().setTimes(name, times);
    } else {
      times.set();
    }
  }

  /**
   * True if the store, which this process owns, has seen the segment.
   *
   * @param name a name that {@link #diverts}
   */
  public boolean knows(final Path name) {
    return ownership.holds() && ownership.open().names().knows(name);
  }

  /**
   * The logical length of an open segment that is grown ahead.
   *
   * @param name a name that {@link #diverts}
   * @return empty if the file itself knows its length
   */
  public OptionalLong logicalSize(final Path name) {
    return ownership.holds() ? ownership.open().names().logicalSize(name) : OptionalLong.empty();
  }

  /**
   * Prepares for the end of the process, beside an engine that stops too and may still append and
   * delete. Begins no more moves. Waits until the engine has closed its channels and all that it
   * dropped is given back, which the next start would find as orphans. Closes nothing.
   *
   * @return false if the limit was reached before, or the thread was interrupted
   */
  public boolean settle(final Duration limit) {
    if (!ownership.holds()) {
      return true;
    }
    return ownership.open().settle(limit);
  }

  /** Stops the threads, finishes the deletions that are queued, unlocks the tiers. */
  @Override
  public void close() throws IOException {
    ownership.close();
  }
}
