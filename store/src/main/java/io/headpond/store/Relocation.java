// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.DeviceFullException;
import io.headpond.store.claim.Home;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.layout.UnclearNameException;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentFile;
import io.headpond.store.segment.SegmentHost;
import io.headpond.store.segment.SegmentSwitch;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Moves a segment at once, under its lock, to the next place that has room. Any thread. */
final class Relocation {
  private final Tiers tiers;
  private final Placement placement;

  Relocation(final Tiers tiers, final Placement placement) {
    this.tiers = tiers;
    this.placement = placement;
  }

  /**
   * Moves a segment that its tier can't hold any longer to the next place with room. Under the
   * segment's lock; the source is left for the caller to give up.
   *
   * @throws DeviceFullException if home is full, and no tier takes it
   */
  SegmentSwitch move(
      final SegmentHost host, final Home home, final Segment segment, final long length)
      throws IOException {
    final SegmentFile from = segment.file();
    final int below = from.atHome() ? 0 : tiers.level(from.directory) + 1;
    final List<List<TierDirectory>> now = tiers.list();
    for (int i = below; i < now.size(); i++) {
      final TierDirectory directory =
          Tiers.emptiest(now.get(i), length + Placement.CHUNK_BYTES_MIN);
      if (directory != null) {
        try {
          if (directory.space.reserve(length)) {
            return moveInto(directory, host, home, segment, length);
          }
        } catch (final ClosedByInterruptException | UnclearNameException e) {
          throw e;
        } catch (final IOException e) {
          directory.copyFailed(e);
          PlaceCodes.PLACE_REFUSED.log(
              directory, "taking " + segment.name(), "trying further down", e);
        }
      }
    }
    if (from.atHome()) {
      throw new DeviceFullException(
          segment.name(), "no tier has room for its " + length + " B either", null);
    }
    final Path copy = SegmentMove.copyHome(segment.name(), from.path(), length, bytes -> {});
    return switched(
        new SegmentSwitch(host, segment, placement.atHome(segment.name(), length), copy), copy);
  }

  /** Into a directory where its bytes are reserved. */
  private SegmentSwitch moveInto(
      final TierDirectory directory,
      final SegmentHost host,
      final Home home,
      final Segment segment,
      final long length)
      throws IOException {
    final SegmentFile from = segment.file();
    final Path target = directory.newFile(home.id(), segment.name());
    boolean kept = false;
    SegmentSwitch made = null;
    try {
      SegmentMove.copyIntoTier(
          from.atHome() ? segment.name() : from.path(),
          target,
          length,
          bytes -> {},
          () -> placement.forceFiles(directory, home.id()));
      made = new SegmentSwitch(host, segment, placement.inTier(directory, target, length), target);
      switched(made, target);
      kept = true;
      return made;
    } finally {
      if (!kept && (made == null || !made.published())) {
        directory.space.release(length);
      }
    }
  }

  /** Makes a switch, or discards the copy. */
  private static SegmentSwitch switched(final SegmentSwitch made, final Path copy)
      throws IOException {
    try {
      made.run();
      return made;
    } finally {
      if (!made.published()) {
        Files.deleteIfExists(copy);
      }
    }
  }
}
