// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.partition.PartitionDirectory;
import io.headpond.store.segment.MappedSegmentFile;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The segments before the one that a log goes on in: a roll makes their logical end the physical
 * one. Any thread, under the lock of the log's {@link PartitionDirectory}.
 */
final class Predecessors {
  private final StoreContext context;
  private final Catalogue catalogue;

  Predecessors(final StoreContext context, final Catalogue catalogue) {
    this.context = context;
    this.catalogue = catalogue;
  }

  /**
   * Seals what comes before a segment that is made or opened. The end of every segment but the last
   * must be its physical end before the next one acknowledges anything. Otherwise a recovery takes
   * the zeros for the log's end and deletes what comes after. Under the partition directory's lock.
   *
   * <p>Where both share no journal, which keeps their order, it must be durable before the next
   * one's name is made: Kafka refuses to start on zeros before a segment whose index and snapshot
   * of producers a power cut took, because it recovers that segment first.
   *
   * @return true if there are others
   */
  boolean seal(final PartitionDirectory partition, final String fileName) throws IOException {
    if (!SegmentName.isPlain(fileName)) {
      return false;
    }
    for (final Segment segment : partition.unsealed()) {
      final String other = segment.name().getFileName().toString();
      if (SegmentName.isPlain(other) && other.compareTo(fileName) < 0) {
        segment.lock.lock();
        try {
          seal(partition, other, segment);
        } finally {
          segment.lock.unlock();
        }
      }
    }
    return partition.hasOpen();
  }

  /** Under the segment's lock. */
  private void seal(
      final PartitionDirectory partition, final String fileName, final Segment segment)
      throws IOException {
    if (!segment.isSealed()) {
      if (segment.isActive()) {
        partition.lastChunkBytes =
            segment.file() instanceof MappedSegmentFile mapped ? mapped.chunkBytes() : 0;
      }
      segment.sealForSuccessor(cutFirst(partition, segment));
      sized(partition, fileName, segment);
    }
    segment.unsealed.looked();
  }

  /**
   * Must a segment's cut be forced, or a name that is made now could be durable before it? Where
   * not all of its bytes were, that is no worse than what a recovery finds of them.
   */
  private static boolean cutFirst(final PartitionDirectory partition, final Segment segment)
      throws IOException {
    final SegmentFile file = segment.file();
    return (file.promisesWrites() || segment.durability.bytesForced(true))
        && !file.atHome()
        && !sharesHome(partition, file.directory);
  }

  /** Is a partition known to be on the file system of a tier directory? */
  private static boolean sharesHome(
      final PartitionDirectory partition, final TierDirectory directory) throws IOException {
    return directory.sharesFileSystemWith(partition.home.path())
        && partition.path().getParent().equals(partition.home.path())
        && !NameLook.isLink(partition.path());
  }

  /** Tells the catalogue what a segment became. Under the segment's lock. */
  void sized(final PartitionDirectory partition, final String fileName, final Segment segment) {
    if (segment.takeResized()) {
      final DataAge dataAge = context.dataAge();
      final long writtenMs = segment.lastWriteMs();
      final OptionalLong newestMs = dataAge.newestMs(segment.name(), writtenMs);
      final long appendMs = dataAge.appendMs(writtenMs, newestMs);
      catalogue.sized(partition.path(), fileName, segment.file().knownBytes(), appendMs, newestMs);
    }
  }

  /** Under the partition directory's lock. */
  static void assertSealed(final PartitionDirectory partition, final String fileName) {
    assert partition.open.values().stream().allMatch(partition::isSealedOrLookedAt)
        : partition.path() + ": an unsealed segment that no roll would look at";
    assert partition.open.entrySet().stream()
            .filter(other -> SegmentName.isPlain(fileName) && SegmentName.isPlain(other.getKey()))
            .allMatch(other -> other.getKey().compareTo(fileName) >= 0 || !growing(other))
        : partition.path() + ": a segment before " + fileName + " is still grown ahead";
  }

  private static boolean growing(final Map.Entry<String, Segment> other) {
    return other.getValue().file() instanceof MappedSegmentFile mapped && mapped.growing();
  }
}
