// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.partition.LogChain;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.segment.SegmentHost;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;

/**
 * The look for the segment of a name: the one that is open, the one on disk, or a new one. Under
 * the partition directory's lock.
 */
final class SegmentLookup {
  /**
   * A name's segment.
   *
   * @param made is it a new one?
   * @param rolls does its log go on in it?
   */
  record Found(Segment segment, boolean made, boolean rolls) {
    private static Found old(final Segment segment) {
      return new Found(segment, false, false);
    }
  }

  private final StoreContext context;
  private final SegmentHost host;
  private final Placement placement;
  private final Catalogue catalogue;
  private final Predecessors predecessors;
  private final SpareFiles spares;

  /**
   * Looks at nothing yet.
   *
   * @param host of the segments that it opens or makes
   */
  SegmentLookup(
      final StoreContext context,
      final SegmentHost host,
      final Placement placement,
      final Catalogue catalogue,
      final Predecessors predecessors,
      final SpareFiles spares) {
    this.context = context;
    this.host = host;
    this.placement = placement;
    this.catalogue = catalogue;
    this.predecessors = predecessors;
    this.spares = spares;
  }

  /** Finds or makes the segment of a name. Under the partition directory's lock. */
  Found find(
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
        return Found.old(open);
      }
      // The engine went around the plug-in (File.delete, File.renameTo): the name is free again.
      open.lost();
      partition.leave(fileName);
    }
    // The name of a roll is new: looking for it first costs a tenth of the roll.
    if (!create || !SegmentName.isPlain(fileName) || !spares.isReady(partition)) {
      try {
        final BasicFileAttributes found = itself(name);
        if (createNew) {
          throw new FileAlreadyExistsException(name.toString());
        }
        return Found.old(existing(partition, name, found));
      } catch (final NoSuchFileException absent) {
        if (!create) {
          throw absent;
        }
      }
    }
    try {
      return made(partition, name, attributes);
    } catch (final FileAlreadyExistsException e) {
      if (createNew) {
        throw e;
      }
      return Found.old(existing(partition, name, itself(name)));
    }
  }

  private Found made(
      final PartitionDirectory partition, final Path name, final FileAttribute<?>... attributes)
      throws IOException {
    final String fileName = name.getFileName().toString();
    final boolean rolls = predecessors.seal(partition, fileName);
    partition.making(fileName);
    final Segment made = placement.create(host, partition, name, attributes);
    catalogue.add(
        partition.path(), fileName, made.file().directory, 0, context.time().millis(), true);
    catalogue.sealAllBut(partition.path(), fileName, context.time().millis());
    return new Found(made, true, rolls);
  }

  private static BasicFileAttributes itself(final Path name) throws IOException {
    return Files.readAttributes(name, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean names(final Path name, final Segment segment) throws IOException {
    segment.lock.lock(); // a move replaces the name first, then the file
    try {
      final Path target = NameLook.target(name);
      return target == null
          ? segment.file().atHome() && NameLook.exists(name)
          : target.equals(segment.file().path());
    } finally {
      segment.lock.unlock();
    }
  }

  private Segment existing(
      final PartitionDirectory partition, final Path name, final BasicFileAttributes found)
      throws IOException {
    loseFormerNames(partition, name.getFileName().toString());
    if (!found.isSymbolicLink()) {
      return existing(name, placement.atHome(name, found.size()), found);
    }
    final Path target = name.resolveSibling(Files.readSymbolicLink(name));
    final TierDirectory directory = placement.directoryOf(partition.home, target);
    if (directory == null) {
      throw new IOException(
          name + " leads to " + target + ", which is in none of the configured tiers");
    }
    final BasicFileAttributes inTier = inTier(name, target);
    return existing(name, placement.inTier(directory, target, inTier.size()), inTier);
  }

  /**
   * What is open by a former name of a segment. At its start Kafka opens the output of an
   * interrupted compaction, never closes it, and gives it its name by {@link java.io.File}.
   */
  private static void loseFormerNames(final PartitionDirectory partition, final String fileName)
      throws IOException {
    for (final Map.Entry<String, Segment> former : partition.openWithEnding(fileName).entrySet()) {
      if (!names(partition.path().resolve(former.getKey()), former.getValue())) {
        former.getValue().lost();
        partition.leave(former.getKey());
      }
    }
  }

  private Segment existing(
      final Path name, final SegmentFile file, final BasicFileAttributes found) {
    final long writtenMs = found.lastModifiedTime().toMillis();
    catalogue.opened(
        name.getParent(), name.getFileName().toString(), file.directory, found.size(), writtenMs);
    final Segment existing =
        new Segment(
            context.counters(),
            context.topics(),
            host,
            name,
            file,
            placement.expected(name),
            context.time());
    existing.found(LogChain.mayBeUnforced(writtenMs, context.bootMs()));
    return existing;
  }

  private static BasicFileAttributes inTier(final Path name, final Path target) throws IOException {
    try {
      return itself(target);
    } catch (final NoSuchFileException e) {
      // Not the same exception: the name is there, and must not be taken for a free one.
      throw new IOException(
          name + " leads to " + target + ", which is missing; mount or restore the tier", e);
    }
  }
}
