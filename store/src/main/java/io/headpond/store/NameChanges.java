// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.partition.PartitionDirectories;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.Reclaimer;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.CopyOption;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes of names of segments and partition directories: rename, overwrite, delete. Any
 * thread.
 *
 * <p>Two partition directories are locked in the order of their paths; two segments only under the
 * lock of the directory that holds both.
 */
final class NameChanges {
  private final Homes homes;
  private final PartitionDirectories partitions;
  private final Placement placement;
  private final Reclaimer reclaimer;
  private final SpareFiles spares;
  private final Catalogue catalogue;
  private final DirectoryForce directoryForce;
  private final TimeSource time;

  NameChanges(
      final StoreContext context,
      final PartitionDirectories partitions,
      final Placement placement,
      final Reclaimer reclaimer,
      final SpareFiles spares,
      final Catalogue catalogue,
      final DirectoryForce directoryForce) {
    time = context.time();
    homes = context.homes();
    this.partitions = partitions;
    this.placement = placement;
    this.reclaimer = reclaimer;
    this.spares = spares;
    this.catalogue = catalogue;
    this.directoryForce = directoryForce;
  }

  /** As {@link TieredStore#delete}. */
  void delete(final Path name) throws IOException {
    if (!homes.isSegment(name)) {
      final Path canonical = homes.canonical(name);
      final PartitionDirectory gone = partitions.get(canonical);
      if (gone == null) {
        Files.delete(name);
      } else {
        deleteDirectory(name, canonical, gone);
      }
      directoryForce.renamed(homes.canonical(name), null);
      catalogue.renamed(homes.canonical(name), null);
      return;
    }
    try {
      deleteSegment(name);
    } catch (final NoSuchFileException e) {
      final Path moved = moved(name);
      if (moved == null) {
        throw e;
      }
      deleteSegment(moved);
    }
  }

  private void deleteSegment(final Path name) throws IOException {
    final PartitionDirectory partition = partitions.locked(name.getParent());
    try {
      final String fileName = name.getFileName().toString();
      final Segment open = partition.open.get(fileName);
      lock(open);
      try {
        final Path target = linkTarget(partition, fileName);
        Files.delete(partition.path().resolve(fileName));
        partition.leave(fileName);
        catalogue.remove(partition.path(), fileName);
        leftLog(partition, fileName, open);
        drop(partition, open, target);
      } finally {
        unlock(open);
      }
    } catch (final NoSuchFileException e) {
      partitions.forgetAbsent(partition);
      throw e;
    } finally {
      partition.lock.unlock();
    }
  }

  /**
   * The present name of a segment whose directory was renamed since the engine gave it this one.
   * Kafka finds it there by itself, but deletes it around this store, and its tier file would stay.
   *
   * @return null: it wasn't
   */
  private Path moved(final Path name) {
    final Path directory = homes.canonical(name.getParent());
    final String fileName = name.getFileName().toString();
    final PartitionDirectory partition =
        SegmentName.mayHaveMoved(directory.getFileName().toString(), fileName)
            ? partitions.formerly(directory)
            : null;
    return partition == null ? null : partition.path().resolve(fileName);
  }

  /** A thread that makes a directory of the same name meanwhile waits, and gets a new object. */
  private void deleteDirectory(final Path name, final Path canonical, final PartitionDirectory gone)
      throws IOException {
    gone.lock.lock();
    try {
      Files.delete(name);
      partitions.remove(canonical);
    } finally {
      gone.lock.unlock();
    }
    spares.discard(gone);
  }

  /**
   * A segment isn't in its log any more. If that was a truncation, the log goes on in the segment
   * before it, with the offsets of the one that left: a power cut must not bring that one back
   * behind what was promised since. If it was all that was left before a new beginning, it must not
   * be back before that either; nor if it may be torn: a recovery would end the log there. Under
   * the directory's lock.
   *
   * @param left null: it wasn't open
   */
  private static void leftLog(
      final PartitionDirectory partition, final String fileName, final Segment left) {
    if (!SegmentName.isPlain(fileName)) {
      return;
    }
    final String before = partition.openBefore(fileName);
    if (before != null) {
      partition.open.get(before).namesChanged();
    }
    final String last = partition.openLast();
    if (last != null
        && last.compareTo(fileName) > 0
        && (partition.openBefore(last) == null || left == null || !left.durability.forced())) {
      partition.open.get(last).namesChanged();
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
    final Path target = NameLook.target(name);
    return target == null || placement.directoryOf(partition.home, target) == null ? null : target;
  }

  /** A name went, or means another file now. Under the partition directory's lock. */
  private void drop(final PartitionDirectory partition, final Segment open, final Path target) {
    if (open != null && names(open, target)) {
      // Its file goes when its last channel does.
      open.deleted();
      return;
    }
    if (open != null) {
      open.lost();
    }
    if (target != null && mayBeThere(target)) {
      reclaimer.reclaim(
          new Reclaimer.Dropped(
              target, placement.directoryOf(partition.home, target), partition, () -> true));
    }
  }

  private static boolean mayBeThere(final Path target) {
    try {
      return NameLook.exists(target);
    } catch (final IOException unknown) {
      return true; // giving it back will say so
    }
  }

  private static boolean names(final Segment open, final Path target) {
    return target == null ? open.file().atHome() : target.equals(open.file().path());
  }

  /** As {@link TieredStore#move}. */
  void move(final Path source, final Path target, final CopyOption... options) throws IOException {
    if (homes.isSegment(source) || homes.isSegment(target)) {
      moveSegment(source, target, options);
    } else {
      moveOther(source, target, options);
    }
  }

  private void moveOther(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final PartitionDirectory partition = partitions.get(homes.canonical(source));
    if (homes.canonical(source).equals(homes.canonical(target))) {
      Files.move(source, target, options); // which changes nothing
      return;
    }
    if (partition == null) {
      refuseLinksOutside(source, target, options);
      Files.move(source, target, options);
      catalogue.renamed(homes.canonical(source), homes.canonical(target));
      return;
    }
    partition.lock.lock();
    try {
      refuseLinksOutside(source, target, options);
      final List<Segment> locked = new ArrayList<>(partition.open.values());
      locked.forEach(segment -> segment.lock.lock());
      try {
        rename(partition, source, target, options);
      } finally {
        locked.forEach(segment -> segment.lock.unlock());
      }
    } finally {
      partition.lock.unlock();
    }
  }

  /** Elsewhere nothing but the links would go, and a start would take their files for orphans. */
  private void refuseLinksOutside(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final Path logDir = homes.canonical(source).getParent();
    if (logDir != null
        && homes.contains(logDir)
        && !logDir.equals(homes.canonical(target).getParent())
        && NameLook.isDirectory(source)) {
      for (final LogDirScan.Entry segment : LogDirScan.segments(source)) {
        if (segment.linked()) {
          throw outOfItsLog(source, target, segment.name() + " lies", options);
        }
      }
    }
  }

  private static FileSystemException outOfItsLog(
      final Path source, final Path target, final String what, final CopyOption... options) {
    final String reason =
        what
            + " in a tier, where nothing but its name in the log directory keeps it;"
            + " copy it instead";
    return isAtomic(options)
        ? new AtomicMoveNotSupportedException(source.toString(), target.toString(), reason)
        : new FileSystemException(source.toString(), target.toString(), reason);
  }

  private static boolean isAtomic(final CopyOption... options) {
    return List.of(options).contains(StandardCopyOption.ATOMIC_MOVE);
  }

  /** Allocates before the rename: the names must agree in any case. */
  private void rename(
      final PartitionDirectory partition,
      final Path source,
      final Path target,
      final CopyOption... options)
      throws IOException {
    final Path from = partition.path();
    final Path to = homes.canonical(target);
    partition.renaming(to);
    final PartitionDirectory before = partitions.put(to, partition);
    boolean done = false;
    try {
      Files.move(source, target, options);
      done = true;
    } finally {
      if (done) {
        partition.renamed();
        partitions.remove(from);
      } else {
        partition.notRenamed();
        partitions.restore(to, before);
      }
    }
    directoryForce.renamed(from, to);
    catalogue.renamed(from, to);
  }

  private void moveSegment(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final Path from = homes.isSegment(source) ? source.getParent() : null;
    final Path to = homes.isSegment(target) ? target.getParent() : null;
    // Two directories are locked in the order of their paths, so that two renames can't block each
    // other.
    final boolean fromFirst =
        to == null || (from != null && homes.canonical(from).compareTo(homes.canonical(to)) <= 0);
    final PartitionDirectory first = partitions.locked(fromFirst ? from : to);
    try {
      final Path other = fromFirst ? to : from;
      final PartitionDirectory second = other == null ? null : partitions.locked(other);
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
      if (to == null && linkTarget(from, sourceName) != null) {
        throw outOfItsLog(source, target, "the segment lies", options);
      }
      final Path overwritten = to == null ? null : linkTarget(to, targetName);
      final Path newName = to == null ? target : to.path().resolve(targetName);
      if (moving != null) {
        // A segment that takes another name is complete: what comes after it in the log may be
        // acknowledged from now on.
        moving.seal();
      }
      if (to != null && isAtomic(options) && !NameLook.exists(source)) {
        throw new NoSuchFileException(source.toString(), target.toString(), null); // as rename(2)
      }
      final Found found = to == null ? null : found(to, source, moving);
      Files.move(source, target, options);
      if (to != null && moving == null && SegmentName.isPlain(targetName)) {
        to.closesUnforced(); // perhaps: nobody has it open
      }
      if (moving != null) {
        moving.renamed(newName);
      }
      if (from != null) {
        from.leave(sourceName);
      }
      if (to != null && moving != null) {
        to.enter(targetName, moving);
      } else if (displaced != null) {
        to.leave(targetName);
      }
      if (from != null) {
        catalogue.remove(from.path(), sourceName);
        leftLog(from, sourceName, moving);
      }
      if (to != null) {
        catalogue.add(
            to.path(),
            targetName,
            found.directory,
            found.bytes,
            time.millis(),
            false,
            found.writtenMs);
      }
      if (to != null && !(from == to && sourceName.equals(targetName))) {
        drop(to, displaced, overwritten);
      }
    } finally {
      unlock(displaced);
      unlock(moving);
    }
  }

  /**
   * A segment that takes another name, as it is before.
   *
   * @param writtenMs the time of its file, as far as that counts: a compaction's output has that of
   *     its sources
   */
  private record Found(TierDirectory directory, long bytes, long writtenMs) {}

  /** Looks before the rename: a look that fails after it would leave the names half-changed. */
  private Found found(final PartitionDirectory to, final Path source, final Segment moving)
      throws IOException {
    if (moving != null) {
      final SegmentFile file = moving.file();
      return new Found(file.directory, file.knownBytes(), writtenMs(to, source, file.directory));
    }
    final Path target = NameLook.target(source);
    final TierDirectory directory = target == null ? null : placement.directoryOf(to.home, target);
    return new Found(directory, Files.size(source), writtenMs(to, source, directory));
  }

  private long writtenMs(
      final PartitionDirectory to, final Path source, final TierDirectory directory)
      throws IOException {
    return directory == null && catalogue.mayHaveExisting(to.home.path())
        ? Files.getLastModifiedTime(source).toMillis()
        : time.millis();
  }
}
