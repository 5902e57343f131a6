// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.DeviceFullException;
import io.headpond.store.claim.Home;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.partition.LogChain;
import io.headpond.store.partition.NameForces;
import io.headpond.store.partition.PartitionDirectories;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.Reclaimer;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.Evacuation;
import io.headpond.store.segment.FileFollower;
import io.headpond.store.segment.FileTimes;
import io.headpond.store.segment.MappedSegmentFile;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentAccess;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.segment.SegmentHost;
import io.headpond.store.segment.SegmentSwitch;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.SegmentCandidate;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The open segments by name: opening and closing, and what they ask of the store. {@link
 * SegmentLookup} finds and makes them; {@link NameChanges} has the other things that happen to
 * names. Any thread.
 *
 * <p>Locks, in the order in which they are taken: a {@link PartitionDirectory}'s (names come and
 * go), then a {@link Segment}'s (its bytes and its file).
 */
final class Namespace implements SegmentHost {
  private final StoreContext context;
  private final PartitionDirectories partitions;
  private final NameChanges changes;
  private final SegmentLookup lookup;
  private final Relocation relocation;
  private final Reclaimer reclaimer;
  private final Catalogue catalogue;
  private final Predecessors predecessors;
  private final NameForces nameForces;
  private final SpareFiles spares;
  private final MigrationSignal signal;

  /** Segments that were read since the clock's last tick. */
  final Queue<Segment> read = new ConcurrentLinkedQueue<>();

  /** Kept until they are closed: what their users forget is found. */
  private final Set<FileFollower> channels = ConcurrentHashMap.newKeySet();

  private final ReferenceQueue<FileChannel> forgotten = new ReferenceQueue<>();

  Namespace(
      final StoreContext context,
      final PartitionDirectories partitions,
      final NameChanges changes,
      final Placement placement,
      final Relocation relocation,
      final Reclaimer reclaimer,
      final Catalogue catalogue,
      final NameForces nameForces,
      final SpareFiles spares,
      final MigrationSignal signal) {
    this.context = context;
    this.partitions = partitions;
    this.changes = changes;
    this.relocation = relocation;
    this.reclaimer = reclaimer;
    this.catalogue = catalogue;
    predecessors = new Predecessors(context, catalogue);
    this.nameForces = nameForces;
    this.spares = spares;
    lookup = new SegmentLookup(context, this, placement, catalogue, predecessors, spares);
    this.signal = signal;
  }

  /** Opens a segment's channel; as {@link TieredStore#open}. */
  FileChannel open(
      final Path name,
      final Set<? extends OpenOption> options,
      final boolean writing,
      final FileAttribute<?>... attributes)
      throws IOException {
    final PartitionDirectory partition = partitions.locked(name.getParent());
    try {
      final String fileName = name.getFileName().toString();
      final SegmentLookup.Found found =
          lookup.find(partition, fileName, options, writing, attributes);
      final Segment segment = found.segment();
      final SegmentChannel channel = channel(partition.home, segment, options);
      try {
        entered(partition, found, fileName);
        if (writing && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
          channel.truncate(0);
        }
      } catch (final IOException | RuntimeException | Error e) {
        closeUnused(channel, e);
        throw e;
      }
      return channel;
    } catch (final NoSuchFileException e) {
      partitions.forgetAbsent(partition);
      throw e;
    } finally {
      partition.making(null);
      partition.lock.unlock();
    }
  }

  /** A name leads to an open segment. Under the partition directory's lock. */
  private void entered(
      final PartitionDirectory partition, final SegmentLookup.Found found, final String fileName)
      throws IOException {
    if (partition.open.get(fileName) != found.segment()) {
      predecessors.seal(partition, fileName);
      partition.enter(fileName, found.segment());
      Predecessors.assertSealed(partition, fileName);
    }
    if (found.made()) {
      madeNew(partition, found.segment(), found.rolls());
    }
  }

  /** Nobody gets the channel: the segment must not stay open for it. */
  private static void closeUnused(final SegmentChannel channel, final Throwable why) {
    try {
      channel.close();
    } catch (final IOException e) {
      why.addSuppressed(e);
    }
  }

  private SegmentChannel channel(
      final Home home, final Segment segment, final Set<? extends OpenOption> options)
      throws IOException {
    segment.lock.lock(); // while it is being moved, its old file may go
    try {
      final SegmentChannel channel =
          new SegmentChannel(
              context.pace(),
              space(home),
              context.coldReads(),
              context.counters().appendNanos,
              context.time(),
              segment,
              options,
              reopenOptions(options));
      channels.add(channel.access());
      segment.retain(channel.access());
      return channel;
    } finally {
      segment.lock.unlock();
    }
  }

  /** The options that the channel's descriptors are opened with: the name exists by then. */
  private static Set<OpenOption> reopenOptions(final Set<? extends OpenOption> options) {
    final Set<OpenOption> reopen = new HashSet<>(options);
    reopen.remove(StandardOpenOption.CREATE);
    reopen.remove(StandardOpenOption.CREATE_NEW);
    reopen.remove(StandardOpenOption.TRUNCATE_EXISTING);
    reopen.remove(StandardOpenOption.DELETE_ON_CLOSE);
    reopen.remove(LinkOption.NOFOLLOW_LINKS);
    reopen.removeIf(SegmentAccess::isDirect);
    return reopen;
  }

  /**
   * Wakes other threads, last: they would be in the way of the engine's, which waits for this. The
   * next spare comes after the forces that the first durable append waits for: where all is on one
   * file system, its journal makes one commit after the other.
   */
  private void madeNew(
      final PartitionDirectory partition, final Segment made, final boolean rolls) {
    final SegmentFile file = made.file();
    made.durability.beginPrecondition(
        () -> {
          if (rolls && !file.atHome()) {
            spares.prepare(partition, file.directory); // it will roll again
          }
          signal.give(); // what is sealed can be moved at less cost than before
        });
  }

  /** As {@link TieredStore#sealBefore}. */
  void sealBefore(final Path name) throws IOException {
    final String fileName = name.getFileName().toString();
    final PartitionDirectory known = partitions.get(context.homes().canonical(name.getParent()));
    if (known != null && known.hasOpen() && !known.open.containsKey(fileName)) {
      final PartitionDirectory partition = partitions.locked(name.getParent());
      try {
        predecessors.seal(partition, fileName);
      } finally {
        partition.lock.unlock();
      }
    }
  }

  /** Moves a segment that its tier can't hold any longer. Under the segment's lock. */
  private SegmentSwitch move(final Segment segment, final long length) throws IOException {
    final Home home = home(segment.name());
    try {
      return relocation.move(this, home, segment, length);
    } catch (final DeviceFullException e) {
      space(home).refuse();
      if (!space(home).watched()) {
        throw e;
      }
      space(home).awaitRoom();
      return segment.file().atHome() ? null : relocation.move(this, home, segment, length);
    }
  }

  /** A channel to move a segment by: while it is open, the segment is known. */
  SegmentChannel openToMove(final Path name) throws IOException {
    return (SegmentChannel) open(name, Set.of(StandardOpenOption.READ), false);
  }

  @Override
  public boolean endsLog(final Path name) {
    final String fileName = name.getFileName().toString();
    return !SegmentName.isPlain(fileName) || catalogue.isLast(name.getParent(), fileName);
  }

  @Override
  public void moved(final Path name, final TierDirectory directory) {
    catalogue.moved(name.getParent(), name.getFileName().toString(), directory);
  }

  /** A segment that was taken for sealed is appended to. */
  void grows(final Path name) {
    catalogue.grows(name.getParent(), name.getFileName().toString());
  }

  /** True if somebody reads the log of a segment behind its end. */
  boolean readBehind(final Path name) {
    return catalogue.readBehind(name.getParent(), context.time().millis());
  }

  /** A segment isn't there any more, whatever the catalogue says. */
  void forget(final Path name) throws IOException {
    if (!NameLook.exists(name)) {
      catalogue.remove(name.getParent(), name.getFileName().toString());
    }
  }

  @Override
  public CompletableFuture<Void> forceNames(final Segment segment) throws IOException {
    return nameForces.force(partition(segment));
  }

  @Override
  public void forceNamesNow(final Segment segment) throws IOException {
    nameForces.forceNow(partition(segment));
  }

  /** Also without the segment's lock, while its directory gets another name. */
  private PartitionDirectory partition(final Segment segment) throws IOException {
    while (true) {
      final Path directory = segment.name().getParent();
      final PartitionDirectory known = partitions.get(directory);
      if (known != null) {
        return known;
      }
      final Home home = partitions.home(directory);
      if (directory.equals(segment.name().getParent())) {
        return new PartitionDirectory(home, directory); // it was deleted
      }
    }
  }

  @Override
  public CompletableFuture<Void> forceBefore(final Segment segment, final boolean alsoFound)
      throws IOException {
    final PartitionDirectory partition = partition(segment);
    final LogChain chain = new LogChain(partition, context.bootMs(), context.time());
    final String fileName = segment.name().getFileName().toString();
    return nameForces.run(partition, () -> chain.forceBefore(fileName, alsoFound));
  }

  @Override
  public void evacuate(final Segment segment, final FileChannel own, final IOException cause)
      throws IOException {
    new Evacuation(context.counters(), context.time(), this::move, segment).run(own, cause);
  }

  @Override
  public void wasRead(final Segment segment) {
    read.add(segment);
  }

  @Override
  public ReferenceQueue<FileChannel> forgotten() {
    return forgotten;
  }

  /** The home of a segment. */
  Home home(final Path name) throws IOException {
    return partitions.home(name.getParent());
  }

  /** The room on a home's disk. */
  HomeSpace space(final Home home) {
    return context.homes().space(home);
  }

  /** The bytes that an open segment takes, as far as is known without I/O; 0 if it isn't open. */
  long knownBytes(final Path name) {
    final Segment segment = partitions.open(name);
    return segment == null ? 0 : segment.file().knownBytes();
  }

  /**
   * A candidate with what is known of its open segment without I/O: the length of one that is
   * appended to, which the catalogue learns only now and then.
   */
  SegmentCandidate known(final SegmentCandidate what) {
    final Segment segment = partitions.open(what.name());
    final long grown = segment == null ? 0 : segment.file().knownBytes();
    return what.active() && grown > 0 ? what.ofBytes(grown) : what;
  }

  /** Its home directory was forced by the move. */
  @Override
  public void reclaimMoved(final Segment segment, final SegmentFile from) {
    if (from.atHome()) {
      return; // the rename that replaced it dropped it
    }
    reclaimer.reclaim(
        new Reclaimer.Dropped(
            from.path(), from.directory, null, () -> from.descriptors.get() == 0));
  }

  /** As {@link TieredStore#knows}. */
  boolean knows(final Path name) {
    return catalogue.knows(
        context.homes().canonical(name.getParent()), name.getFileName().toString());
  }

  /** As {@link TieredStore#logicalSize}. */
  OptionalLong logicalSize(final Path name) {
    final PartitionDirectory partition =
        partitions.get(context.homes().canonical(name.getParent()));
    if (partition == null) {
      return OptionalLong.empty();
    }
    final String fileName = name.getFileName().toString();
    final boolean beingMade = partition.makes(fileName); // first: it is open after that
    final Segment segment = partition.open.get(fileName);
    if (segment == null) {
      return beingMade ? OptionalLong.of(0) : OptionalLong.empty();
    }
    return segment.file() instanceof MappedSegmentFile mapped
        ? OptionalLong.of(mapped.end(null))
        : OptionalLong.empty();
  }

  /** As {@link TieredStore#setTimes}. No move begins meanwhile, which would keep the old ones. */
  void setTimes(final Path name, final FileTimes times) throws IOException {
    final PartitionDirectory partition = partitions.locked(name.getParent());
    try {
      final Segment segment = partition.open.get(name.getFileName().toString());
      if (segment == null) {
        times.set();
        return;
      }
      segment.lock.lock();
      try {
        segment.setTimes(times);
      } finally {
        segment.lock.unlock();
      }
    } catch (final NoSuchFileException e) {
      partitions.forgetAbsent(partition);
      throw e;
    } finally {
      partition.lock.unlock();
    }
  }

  @Override
  public void closed(final Segment segment, final FileFollower channel, final boolean deleteOnClose)
      throws IOException {
    channels.remove(channel);
    assert !segment.lock.isHeldByCurrentThread() : segment.name();
    final PartitionDirectory partition = partitions.lockedOf(segment);
    try {
      if (segment.release(channel)) {
        final String fileName = segment.name().getFileName().toString();
        if (SegmentName.isPlain(fileName) && !segment.isDeleted() && !segment.durability.forced()) {
          partition.closesUnforced();
        }
        segment.lock.lock();
        try {
          segment.close();
          if (!segment.isDeleted()) {
            predecessors.sized(partition, fileName, segment);
          }
        } finally {
          segment.lock.unlock();
          partition.leave(fileName, segment); // last: until it is cut it knows its length alone
        }
        if (segment.isDeleted() && !segment.isLost() && !segment.file().atHome()) {
          reclaimer.reclaim(
              new Reclaimer.Dropped(
                  segment.file().path(), segment.file().directory, partition, () -> true));
        }
      }
    } finally {
      partition.lock.unlock();
    }
    if (deleteOnClose && !segment.isDeleted()) {
      changes.delete(segment.name());
    }
  }
}
