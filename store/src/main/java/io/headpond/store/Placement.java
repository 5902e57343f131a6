// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.FilePool;
import io.headpond.pmem.MappedFileOptions;
import io.headpond.pmem.RunAhead;
import io.headpond.store.claim.Home;
import io.headpond.store.config.DurabilityMode;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.segment.MappedSegmentFile;
import io.headpond.store.segment.PlainSegmentFile;
import io.headpond.store.segment.Precondition;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.segment.SegmentHost;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.UUID;

/** Decides where a new segment lies, and makes it: the fastest tier that has room, else home. */
final class Placement {
  /** The least that a file grows by. */
  static final int CHUNK_BYTES_MIN = 64 << 10;

  private static final int CHUNK_BYTES_MAX = 16 << 20;

  /** Zeros that a disk writes beside the appends must not hold these up for long. */
  private static final int WRITTEN_CHUNK_BYTES_MAX = 4 << 20;

  /** A log that reached this chunk grows fast enough to be given a whole prepared file. */
  private static final int POOL_FROM_CHUNK_BYTES = 1 << 20;

  /** A prepared file takes this part of a directory's room, at most. */
  private static final int POOL_ROOM_PARTS = 4;

  private final StoreContext context;
  private final Tiers tiers;
  private final DirectoryForce directoryForce;
  private final Counters counters;
  private final RunAhead runAhead;
  private final SpareFiles spares;
  private final Catalogue catalogue;
  private final boolean forcesEachWrite;

  Placement(
      final StoreContext context,
      final Tiers tiers,
      final DirectoryForce directoryForce,
      final RunAhead runAhead,
      final SpareFiles spares,
      final Catalogue catalogue) {
    this.context = context;
    this.tiers = tiers;
    this.directoryForce = directoryForce;
    this.runAhead = runAhead;
    this.spares = spares;
    this.catalogue = catalogue;
    counters = context.counters();
    forcesEachWrite = context.config().durability() == DurabilityMode.APPEND;
  }

  /** A segment that is asked for. */
  private record Creation(
      SegmentHost host,
      PartitionDirectory partition,
      Path name,
      ExpectedSize expected,
      List<FileAttribute<?>> attributes) {

    FileAttribute<?>[] attributesOfFile() {
      return attributes.toArray(FileAttribute<?>[]::new);
    }
  }

  /** A new segment's file, which is as long as this. */
  private record NewFile(Path path, long bytes) {}

  /** Makes a new segment, in the fastest tier that has room. Under the partition's lock. */
  Segment create(
      final SegmentHost host,
      final PartitionDirectory partition,
      final Path name,
      final FileAttribute<?>... attributes)
      throws IOException {
    context.homes().space(partition.home).awaitRoomNow(); // for the name and the indexes
    final boolean followsSource = name.getFileName().toString().endsWith(".cleaned");
    final boolean homeOnly = context.staysHome(name);
    final List<List<TierDirectory>> now = tiers.list();
    final String before = openBefore(partition, name);
    int from =
        followsSource && !homeOnly
            ? tierOfSource(partition, name)
            : catalogue.staysHome(name, context.time().millis())
                    || continuesOldData(partition, before)
                ? now.size()
                : 0;
    while (from < now.size() && now.get(from).get(0).tier.draining()) {
      from++;
    }
    final Creation creation =
        new Creation(
            host,
            partition,
            name,
            expected(name).at(lastGrowthPerNano(partition, before)),
            List.of(attributes));
    for (int i = from; i < now.size(); i++) {
      final TierDirectory directory = emptiest(now.get(i), creation.expected);
      final Segment made = directory == null ? null : createIn(directory, creation);
      if (made != null) {
        if (i > from) {
          overflowed(creation, now.get(from), "in " + directory);
        }
        return made;
      }
    }
    if (!homeOnly && context.homes().low(partition.home.path())) {
      final Segment made = createAnywhere(creation);
      if (made != null) {
        return made;
      }
    }
    Files.createFile(name, attributes);
    if (from < now.size()) {
      overflowed(creation, now.get(from), "at home");
    }
    return segment(creation, atHome(name, 0));
  }

  /** Null if the tier directory failed. */
  private Segment createIn(final TierDirectory directory, final Creation creation)
      throws IOException {
    final NewFile file = newTierFile(directory, creation);
    // A failure from here on is home's, and home is the last resort.
    return file == null ? null : link(directory, file, creation);
  }

  /** A new name: it is waited for at the first durable append. */
  private Segment segment(final Creation creation, final SegmentFile file) {
    final Segment made =
        new Segment(
            counters,
            context.topics(),
            creation.host,
            creation.name,
            file,
            creation.expected,
            context.time());
    made.precededBy(new Precondition(creation.host, made));
    return made;
  }

  private void overflowed(
      final Creation creation, final List<TierDirectory> wanted, final String where) {
    final Path name = creation.name;
    counters.increment(Count.OVERFLOW_SEGMENTS);
    context.topics().overflowed(name.getParent().getFileName().toString());
    final StringBuilder why = new StringBuilder();
    for (final TierDirectory directory : wanted) {
      why.append(why.length() == 0 ? "" : ", ")
          .append(directory)
          .append(directory.failed() ? " failed" : " has no room");
    }
    counters.incidents.count(Incident.OVERFLOW);
    final String tier = wanted.get(0).tier.name();
    final String remedy = wanted.get(0).remedy(context.homes().low(creation.partition.home.path()));
    counters.conditions.met(
        "tier " + tier, PlaceCodes.OVERFLOW.words(tier, name, where, why, remedy));
  }

  /**
   * True if the log is being filled with old data, by a follower that catches up, a partition that
   * moves, or a replay. It would push new data out of the tiers. The segment before this one tells.
   */
  private boolean continuesOldData(final PartitionDirectory partition, final String before) {
    if (before == null) {
      return false;
    }
    final DataAge dataAge = context.dataAge();
    final long oldBeforeMs = dataAge.oldBeforeMs(context.time().millis());
    return catalogue
        .older(partition.path(), before, oldBeforeMs) // as its seal has found
        .orElseGet(() -> dataAge.older(partition.path().resolve(before), oldBeforeMs));
  }

  /** Home is at its reserve: a tier with little room is better. Null if there is none. */
  private Segment createAnywhere(final Creation creation) throws IOException {
    final TierDirectory directory = room(2L * CHUNK_BYTES_MIN);
    return directory == null ? null : createIn(directory, creation);
  }

  /** The emptiest directory of the fastest tier that has room; null: none has. */
  private TierDirectory room(final long bytes) {
    for (final List<TierDirectory> tier : tiers.list()) {
      final TierDirectory directory = Tiers.emptiest(tier, bytes + CHUNK_BYTES_MIN);
      if (directory != null) {
        return directory;
      }
    }
    return null;
  }

  /** Compaction output goes where its sources lie. */
  private int tierOfSource(final PartitionDirectory partition, final Path name) throws IOException {
    final String source = name.getFileName().toString().substring(0, SegmentName.PLAIN_LENGTH);
    final Path sourceName = partition.path().resolve(source);
    final Path target = NameLook.target(sourceName);
    return target == null ? tiers.list().size() : tiers.level(directoryOf(partition.home, target));
  }

  /** The size that a segment will probably reach. */
  ExpectedSize expected(final Path name) {
    final long learnt = catalogue.bytesBefore(name.getParent(), name.getFileName().toString());
    return ExpectedSize.of(learnt, context.config().engineSegmentBytes());
  }

  /** The log's segment before a new one, if that is a segment's name and it is open; else null. */
  private static String openBefore(final PartitionDirectory partition, final Path name) {
    final String fileName = name.getFileName().toString();
    return SegmentName.isPlain(fileName) ? partition.openBefore(fileName) : null;
  }

  /** The rate at which the log's last segment grew; 0: it isn't open. */
  private static double lastGrowthPerNano(final PartitionDirectory partition, final String before) {
    final Segment last = before == null ? null : partition.open.get(before);
    return last == null ? 0 : last.growthPerNano();
  }

  /** Null if none has room for a segment to begin there. */
  private static TierDirectory emptiest(
      final List<TierDirectory> tier, final ExpectedSize expected) {
    return Tiers.emptiest(
        tier,
        directory ->
            Math.max(
                2L * CHUNK_BYTES_MIN,
                expected.wantedBytes(directory.capacityBytes, directory.growsAhead())));
  }

  /** A new segment's file. Null if the tier directory failed. */
  private NewFile newTierFile(final TierDirectory directory, final Creation creation) {
    try {
      final NewFile pooled = pooled(directory, creation);
      if (pooled != null) {
        return pooled;
      }
      final boolean mayBeSpare =
          creation.attributes.isEmpty()
              && SegmentName.isPlain(creation.name.getFileName().toString());
      final SpareFiles.Spare spare = mayBeSpare ? spares.take(creation.partition, directory) : null;
      if (spare != null) {
        return new NewFile(spare.file(), spare.bytes());
      }
      final Path made =
          directory.create(
              creation.partition.home.id(),
              creation.name,
              directoryForce,
              creation.attributesOfFile());
      return new NewFile(made, 0);
    } catch (final IOException e) {
      directory.createFailed(e);
      PlaceCodes.PLACE_REFUSED.log(
          directory, "creating a segment's file", "trying further down", e);
      counters.incidents.count(Incident.CREATE_FAILED);
      return null;
    }
  }

  private Segment link(final TierDirectory directory, final NewFile file, final Creation creation)
      throws IOException {
    try {
      Files.createSymbolicLink(creation.name, file.path);
    } catch (final IOException e) {
      try {
        Files.delete(file.path);
        directory.space.release(file.bytes);
      } catch (final IOException orphan) {
        e.addSuppressed(orphan);
      }
      throw e;
    }
    final int chunk =
        Math.max(CHUNK_BYTES_MIN, Math.min(CHUNK_BYTES_MAX, creation.partition.lastChunkBytes / 2));
    return segment(creation, tierFile(directory, file.path, 0, file.bytes, chunk));
  }

  /** A prepared file for a log that will soon fill it; null if there is none, or no need. */
  private NewFile pooled(final TierDirectory directory, final Creation creation)
      throws IOException {
    final FilePool pool = directory.space.pool();
    if (pool == null
        || !creation.attributes.isEmpty()
        || creation.partition.lastChunkBytes < POOL_FROM_CHUNK_BYTES) {
      return null;
    }
    final Path file = directory.newFile(creation.partition.home.id(), creation.name);
    final long expectedBytes = creation.expected.bytes();
    final boolean taken = pool.take(file, expectedBytes / 2, expectedBytes * 2).isPresent();
    if (directory.roomBytes() - pool.bytes() >= POOL_ROOM_PARTS * expectedBytes) {
      pool.prepare(expectedBytes); // for the next one
    }
    if (!taken) {
      return null;
    }
    directoryForce.force(file.getParent());
    return new NewFile(file, Files.size(file));
  }

  /** Makes the names of a home's files in a tier directory durable. */
  void forceFiles(final TierDirectory directory, final UUID home) throws IOException {
    try {
      directoryForce.force(directory.segments(home));
    } catch (final ForceFailedException e) {
      directory.fail(e);
      throw e;
    }
  }

  /** A file in the log directory. */
  SegmentFile atHome(final Path name, final long bytes) {
    return new PlainSegmentFile(name, null, bytes, forcesEachWrite);
  }

  /** A tier file that was there before: nothing is known about what lies past its end. */
  SegmentFile inTier(final TierDirectory directory, final Path file, final long bytes) {
    return tierFile(directory, file, bytes, bytes, CHUNK_BYTES_MIN);
  }

  private SegmentFile tierFile(
      final TierDirectory directory,
      final Path file,
      final long endBytes,
      final long physicalBytes,
      final int firstChunkBytes) {
    if (!directory.growsAhead()) {
      return new PlainSegmentFile(file, directory, physicalBytes, forcesEachWrite);
    }
    return new MappedSegmentFile(
        file,
        directory,
        endBytes,
        physicalBytes,
        MappedFileOptions.of(directory.device, directory.backend, directory.space, runAhead)
            .keepTail(physicalBytes > endBytes)
            .firstChunkBytes(firstChunkBytes)
            .maxChunkBytes(directory.backend.maps() ? CHUNK_BYTES_MAX : WRITTEN_CHUNK_BYTES_MAX),
        forcesEachWrite);
  }

  TierDirectory directoryOf(final Home home, final Path target) {
    return tiers.all().filter(each -> each.holds(home.id(), target)).findFirst().orElse(null);
  }
}
