// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of segments: how they come (open, create, rename) and go (delete, overwrite), and which
 * open segment each of them means. Any thread.
 *
 * <p>Locks, in the order in which they are taken: a {@link PartitionDirectory}'s (names come and
 * go), then a {@link Segment}'s (its bytes and its file). Two partition directories are locked in
 * the order of their paths; two segments only under the lock of the directory that holds both.
 */
final class Namespace {
  private final TieredStore store;
  private final Placement placement;
  private final Reclaimer reclaimer;
  private final Catalogue catalogue;
  private final NameForces nameForces;
  private final Map<Path, PartitionDirectory> partitions = new ConcurrentHashMap<>();

  Namespace(
      final TieredStore store,
      final Placement placement,
      final Reclaimer reclaimer,
      final Catalogue catalogue,
      final NameForces nameForces) {
    this.store = store;
    this.placement = placement;
    this.reclaimer = reclaimer;
    this.catalogue = catalogue;
    this.nameForces = nameForces;
  }

  /** Opens a segment's channel; as {@link TieredStore#open}. */
  FileChannel open(
      final Path name,
      final Set<? extends OpenOption> options,
      final boolean writing,
      final FileAttribute<?>... attributes)
      throws IOException {
    final PartitionDirectory partition = locked(name.getParent());
    try {
      final String fileName = name.getFileName().toString();
      final Segment segment = segment(partition, fileName, options, writing, attributes);
      final SegmentChannel channel = channel(segment, options);
      if (partition.open.putIfAbsent(fileName, segment) == null) {
        assertSealedBefore(partition, fileName);
      }
      if (writing && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
        channel.truncate(0);
      }
      return channel;
    } finally {
      partition.lock.unlock();
    }
  }

  private SegmentChannel channel(final Segment segment, final Set<? extends OpenOption> options)
      throws IOException {
    segment.lock.lock(); // while it is being moved, its old file may go
    try {
      final SegmentChannel channel =
          new SegmentChannel(this, segment, options, reopenOptions(options));
      segment.retain(channel);
      return channel;
    } finally {
      segment.lock.unlock();
    }
  }

  /** What the channel's descriptors are opened with: the name exists by then. */
  private static Set<OpenOption> reopenOptions(final Set<? extends OpenOption> options) {
    final Set<OpenOption> reopen = new HashSet<>(options);
    reopen.remove(StandardOpenOption.CREATE);
    reopen.remove(StandardOpenOption.CREATE_NEW);
    reopen.remove(StandardOpenOption.TRUNCATE_EXISTING);
    reopen.remove(StandardOpenOption.DELETE_ON_CLOSE);
    reopen.remove(LinkOption.NOFOLLOW_LINKS);
    return Set.copyOf(reopen);
  }

  /** The partition directory, locked; a rename may be changing which one that is. */
  private PartitionDirectory locked(final Path directory) throws IOException {
    final Home home = store.home(directory);
    final Path wanted = store.canonical(directory);
    while (true) {
      final PartitionDirectory partition =
          partitions.computeIfAbsent(wanted, path -> new PartitionDirectory(home, path));
      partition.lock.lock();
      if (partition.path().equals(wanted) && partitions.get(wanted) == partition) {
        return partition;
      }
      partition.lock.unlock();
    }
  }

  /** Finds or makes the segment of a name. Under the partition directory's lock. */
  private Segment segment(
      final PartitionDirectory partition,
      final String fileName,
      final Set<? extends OpenOption> options,
      final boolean writing,
      final FileAttribute<?>... attributes)
      throws IOException {
    final Path name = partition.path().resolve(fileName);
    final boolean createNew = writing && options.contains(StandardOpenOption.CREATE_NEW);
    final boolean create = createNew || (writing && options.contains(StandardOpenOption.CREATE));
    final Segment open = partition.open.get(fileName);
    if (open != null) {
      if (names(name, open)) {
        if (createNew) {
          throw new FileAlreadyExistsException(name.toString());
        }
        return open;
      }
      // The engine went around the plug-in (File.delete, File.renameTo): the name is free again.
      open.lost();
      partition.open.remove(fileName);
    }
    try {
      final BasicFileAttributes found =
          Files.readAttributes(name, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (createNew) {
        throw new FileAlreadyExistsException(name.toString());
      }
      return existing(partition, name, found);
    } catch (final NoSuchFileException absent) {
      if (!create) {
        throw absent;
      }
    }
    sealOthers(partition, fileName);
    final Segment made = placement.create(this, partition, name, attributes);
    catalogue.add(
        partition.path(), fileName, made.file().directory, 0, System.currentTimeMillis(), true);
    catalogue.sealAllBut(partition.path(), fileName);
    store.sealedSome();
    return made;
  }

  private static boolean names(final Path name, final Segment segment) throws IOException {
    segment.lock.lock(); // a move replaces the name first, then the file
    try {
      if (Files.isSymbolicLink(name)) {
        return name.resolveSibling(Files.readSymbolicLink(name)).equals(segment.file().path);
      }
      return segment.file().atHome() && Files.exists(name, LinkOption.NOFOLLOW_LINKS);
    } finally {
      segment.lock.unlock();
    }
  }

  private Segment existing(
      final PartitionDirectory partition, final Path name, final BasicFileAttributes found)
      throws IOException {
    if (!found.isSymbolicLink()) {
      return new Segment(store, this, name, placement.atHome(name, found.size()), 0);
    }
    final Path target = name.resolveSibling(Files.readSymbolicLink(name));
    final TierDirectory directory = placement.directoryOf(partition.home, target);
    if (directory == null) {
      throw new IOException(
          name + " leads to " + target + ", which is in none of the configured tiers");
    }
    return new Segment(
        store, this, name, placement.inTier(directory, target, size(name, target)), 0);
  }

  private static long size(final Path name, final Path target) throws IOException {
    try {
      return Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .size();
    } catch (final NoSuchFileException e) {
      // Not the same exception: the name is there, and must not be taken for a free one.
      throw new IOException(
          name + " leads to " + target + ", which is missing; mount or restore the tier", e);
    }
  }

  /**
   * The roll: the end of every segment but the last must be its physical end before the next one
   * acknowledges anything, or a recovery takes the zeros for the end of the log and deletes what
   * comes after. Under the partition directory's lock.
   */
  private void sealOthers(final PartitionDirectory partition, final String fileName)
      throws IOException {
    if (!SegmentName.isPlain(fileName)) {
      return;
    }
    for (final Map.Entry<String, Segment> other : partition.open.entrySet()) {
      if (SegmentName.isPlain(other.getKey())) {
        final Segment segment = other.getValue();
        segment.lock.lock();
        try {
          if (segment.isActive()) {
            partition.lastChunkBytes =
                segment.file() instanceof MappedSegmentFile mapped ? mapped.chunkBytes() : 0;
            segment.seal();
            partition.lastSealedBytes = segment.file().physicalBytes();
          } else {
            segment.seal();
          }
          sized(partition, other.getKey(), segment);
        } finally {
          segment.lock.unlock();
        }
      }
    }
  }

  /** Tells the catalogue what a segment became. Under the segment's lock. */
  private void sized(
      final PartitionDirectory partition, final String fileName, final Segment segment)
      throws IOException {
    if (segment.takeResized()) {
      final long appendMs = store.dataAge().appendMs(segment.name(), segment.lastWriteMs());
      catalogue.sized(partition.path(), fileName, segment.file().physicalBytes(), appendMs);
    }
  }

  private static void assertSealedBefore(
      final PartitionDirectory partition, final String fileName) {
    assert partition.open.entrySet().stream()
            .filter(other -> SegmentName.isPlain(fileName) && SegmentName.isPlain(other.getKey()))
            .allMatch(other -> other.getKey().compareTo(fileName) >= 0 || !growing(other))
        : partition.path() + ": a segment before " + fileName + " is still grown ahead";
  }

  private static boolean growing(final Map.Entry<String, Segment> other) {
    return other.getValue().file() instanceof MappedSegmentFile mapped && mapped.mapped();
  }

  /** Moves a segment that its tier can't hold any longer. Under the segment's lock. */
  SegmentFile move(final Segment segment, final SegmentFile from, final long length)
      throws IOException {
    return placement.move(store.home(segment.name().getParent()), segment, from, length);
  }

  /** A channel to move a segment by: while it is open, the segment is known. */
  SegmentChannel openToMove(final Path name) throws IOException {
    return (SegmentChannel) open(name, Set.of(StandardOpenOption.READ), false);
  }

  /** A segment's bytes lie in another directory now; null: at home. */
  void moved(final Path name, final TierDirectory directory) {
    catalogue.moved(name.getParent(), name.getFileName().toString(), directory);
  }

  /** A segment that was taken for sealed is appended to. */
  void grows(final Path name) {
    catalogue.grows(name.getParent(), name.getFileName().toString());
  }

  /** A segment isn't there any more, whatever the catalogue says. */
  void forget(final Path name) {
    if (!Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
      catalogue.remove(name.getParent(), name.getFileName().toString());
    }
  }

  /** Starts to force a partition directory's names. */
  CompletableFuture<Void> forceNames(final Path directory) throws IOException {
    final PartitionDirectory known = partitions.get(directory);
    return nameForces.force(
        known == null ? new PartitionDirectory(store.home(directory), directory) : known);
  }

  /** What appends took is told to it. */
  Pace pace() {
    return store.pace();
  }

  /** And to this, for metrics. */
  LatencyHistogram appendNanos() {
    return store.counters().appendNanos;
  }

  /** The home of a segment. */
  Home home(final Path name) throws IOException {
    return store.home(name.getParent());
  }

  /** Bytes that may still be put into a home. */
  long homeRoomBytes(final Home home) throws IOException {
    return store.space(home).roomBytes();
  }

  /** What an open segment takes on its device, bytes; 0 if it isn't open. */
  long physicalBytes(final Path name) throws IOException {
    final Segment segment = open(name);
    return segment == null ? 0 : segment.file().physicalBytes();
  }

  /** The source of a finished move; its home directory was forced by the move. */
  void reclaimMoved(final Segment segment, final SegmentFile from) {
    if (from.atHome()) {
      return; // the rename that replaced it dropped it
    }
    reclaimer.reclaim(
        new Reclaimer.Dropped(
            from.path,
            from.directory,
            null,
            false,
            () -> from.descriptors.get() == 0 && !segment.isUserMapped()));
  }

  /** As {@link TieredStore#delete}. */
  void delete(final Path name) throws IOException {
    if (!store.diverts(name)) {
      Files.delete(name);
      partitions.remove(store.canonical(name));
      catalogue.renamed(store.canonical(name), null);
      return;
    }
    final PartitionDirectory partition = locked(name.getParent());
    try {
      final String fileName = name.getFileName().toString();
      final Segment open = partition.open.get(fileName);
      lock(open);
      try {
        final Path target = linkTarget(partition, fileName);
        Files.delete(partition.path().resolve(fileName));
        partition.open.remove(fileName);
        catalogue.remove(partition.path(), fileName);
        drop(partition, open, target);
      } finally {
        unlock(open);
      }
    } finally {
      partition.lock.unlock();
    }
  }

  private static void lock(final Segment segment) {
    if (segment != null) {
      segment.lock.lock();
    }
  }

  private static void unlock(final Segment segment) {
    if (segment != null) {
      segment.lock.unlock();
    }
  }

  /** The tier file that a name resolves to; null if it is a plain file or not there. */
  private Path linkTarget(final PartitionDirectory partition, final String fileName)
      throws IOException {
    final Path name = partition.path().resolve(fileName);
    if (!Files.isSymbolicLink(name)) {
      return null;
    }
    final Path target = name.resolveSibling(Files.readSymbolicLink(name));
    return placement.directoryOf(partition.home, target) == null ? null : target;
  }

  /** A name went, or means another file now. Under the partition directory's lock. */
  private void drop(final PartitionDirectory partition, final Segment open, final Path target)
      throws IOException {
    if (open != null && names(open, target)) {
      // Its file goes when its last channel does.
      open.deleted();
      return;
    }
    if (open != null) {
      open.lost();
    }
    if (target != null && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      reclaimer.reclaim(
          new Reclaimer.Dropped(
              target, placement.directoryOf(partition.home, target), partition, true, () -> true));
    }
  }

  private static boolean names(final Segment open, final Path target) {
    return target == null ? open.file().atHome() : target.equals(open.file().path);
  }

  /** As {@link TieredStore#move}. */
  void move(final Path source, final Path target, final CopyOption... options) throws IOException {
    if (store.diverts(source) || store.diverts(target)) {
      moveSegment(source, target, options);
    } else {
      moveOther(source, target, options);
    }
  }

  private void moveOther(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final PartitionDirectory partition = partitions.get(store.canonical(source));
    if (partition == null) {
      Files.move(source, target, options);
      catalogue.renamed(store.canonical(source), store.canonical(target));
      return;
    }
    partition.lock.lock();
    final List<Segment> locked = new ArrayList<>(partition.open.values());
    try {
      locked.forEach(segment -> segment.lock.lock());
      try {
        rename(partition, source, target, options);
        partitions.remove(partition.path());
        partition.entryDurable = false;
        catalogue.renamed(partition.path(), store.canonical(target));
        partition.renamed(store.canonical(target));
        partitions.put(partition.path(), partition);
      } finally {
        locked.forEach(segment -> segment.lock.unlock());
      }
    } finally {
      partition.lock.unlock();
    }
  }

  private void rename(
      final PartitionDirectory partition,
      final Path source,
      final Path target,
      final CopyOption... options)
      throws IOException {
    partition.renaming(store.canonical(target));
    try {
      Files.move(source, target, options);
    } catch (final IOException | RuntimeException e) {
      partition.notRenamed();
      throw e;
    }
  }

  private void moveSegment(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final Path from = store.diverts(source) ? source.getParent() : null;
    final Path to = store.diverts(target) ? target.getParent() : null;
    // Two directories are locked in the order of their paths, so that two renames can't block each
    // other.
    final boolean fromFirst =
        to == null || (from != null && store.canonical(from).compareTo(store.canonical(to)) <= 0);
    final PartitionDirectory first = locked(fromFirst ? from : to);
    try {
      final Path other = fromFirst ? to : from;
      final PartitionDirectory second = other == null ? null : locked(other);
      try {
        rename(fromFirst ? first : second, source, fromFirst ? second : first, target, options);
      } finally {
        if (second != null) {
          second.lock.unlock();
        }
      }
    } finally {
      first.lock.unlock();
    }
  }

  /** Under both partition directories' locks; null stands for what is not a segment's name. */
  private void rename(
      final PartitionDirectory from,
      final Path source,
      final PartitionDirectory to,
      final Path target,
      final CopyOption... options)
      throws IOException {
    final String sourceName = source.getFileName().toString();
    final String targetName = target.getFileName().toString();
    final Segment moving = from == null ? null : from.open.get(sourceName);
    final Segment displaced = to == null ? null : to.open.get(targetName);
    lock(moving);
    lock(displaced);
    try {
      final Path overwritten = to == null ? null : linkTarget(to, targetName);
      if (moving != null) {
        // A segment that takes another name is complete: what comes after it in the log may be
        // acknowledged from now on.
        moving.seal();
      }
      Files.move(source, target, options);
      if (from != null) {
        from.open.remove(sourceName);
        catalogue.remove(from.path(), sourceName);
      }
      if (to != null) {
        catalogued(to, targetName, moving);
      }
      if (displaced != null && displaced != moving) {
        to.open.remove(targetName);
      }
      if (moving != null) {
        moving.renamed(target);
        if (to != null) {
          moving.renamed(to.path().resolve(targetName));
          to.open.put(targetName, moving);
        }
      }
      if (to != null && !(from == to && sourceName.equals(targetName))) {
        drop(to, displaced, overwritten);
      }
    } finally {
      unlock(displaced);
      unlock(moving);
    }
  }

  /** What a segment's name means after a rename: a new segment for the catalogue. */
  private void catalogued(
      final PartitionDirectory partition, final String fileName, final Segment segment)
      throws IOException {
    final Path target = linkTarget(partition, fileName);
    catalogue.add(
        partition.path(),
        fileName,
        target == null ? null : placement.directoryOf(partition.home, target),
        segment == null
            ? Files.size(partition.path().resolve(fileName))
            : segment.file().physicalBytes(),
        System.currentTimeMillis(),
        false);
  }

  /** Has the engine closed every channel? */
  boolean allClosed() {
    return partitions.values().stream().allMatch(partition -> partition.open.isEmpty());
  }

  /** As {@link TieredStore#isOpen}. */
  boolean isOpen(final Path name) {
    return open(name) != null;
  }

  /** As {@link TieredStore#logicalSize}. */
  OptionalLong logicalSize(final Path name) {
    final Segment segment = open(name);
    return segment != null && segment.file() instanceof MappedSegmentFile mapped
        ? OptionalLong.of(mapped.end(null))
        : OptionalLong.empty();
  }

  /** Null if no channel is open on the name. */
  private Segment open(final Path name) {
    final PartitionDirectory partition = partitions.get(store.canonical(name.getParent()));
    return partition == null ? null : partition.open.get(name.getFileName().toString());
  }

  /** A channel was closed. By a thread that holds no segment's lock. */
  void closed(final SegmentChannel channel, final boolean deleteOnClose) throws IOException {
    final Segment segment = channel.segment();
    assert !segment.lock.isHeldByCurrentThread() : segment.name();
    final PartitionDirectory partition = lockedOf(segment);
    try {
      if (segment.release(channel)) {
        partition.open.remove(segment.name().getFileName().toString(), segment);
        segment.lock.lock();
        try {
          segment.close();
          if (!segment.isDeleted()) {
            sized(partition, segment.name().getFileName().toString(), segment);
          }
        } finally {
          segment.lock.unlock();
        }
        if (segment.isDeleted() && !segment.isLost() && !segment.file().atHome()) {
          reclaimer.reclaim(
              new Reclaimer.Dropped(
                  segment.file().path,
                  segment.file().directory,
                  partition,
                  true,
                  () -> !segment.isUserMapped()));
        }
      }
    } finally {
      partition.lock.unlock();
    }
    if (deleteOnClose && !segment.isDeleted()) {
      delete(segment.name());
    }
  }

  /** The segment's partition directory, locked; a rename may be changing which one that is. */
  private PartitionDirectory lockedOf(final Segment segment) {
    while (true) {
      final Path directory = segment.name().getParent();
      final PartitionDirectory partition = partitions.get(directory);
      if (partition == null) {
        // Deleted with everything in it, while this channel was open.
        final PartitionDirectory gone = new PartitionDirectory(null, directory);
        gone.lock.lock();
        return gone;
      }
      partition.lock.lock();
      if (partition.path().equals(segment.name().getParent())) {
        return partition;
      }
      partition.lock.unlock();
    }
  }
}
