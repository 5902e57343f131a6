// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.pmem.PersistBackend;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.migrate.HeldBack;
import io.headpond.store.migrate.TierLimits;
import io.headpond.store.migrate.TierState;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The measured state of a tier directory: by its files, and by the counters of a broker that runs.
 */
final class TierMeasure {
  private final StoreConfig config;
  private final TierConfig tier;
  private final Path path;
  private final Optional<OwnerCounters> running;
  private final TierLimits limits;
  private final long segmentBytes;
  private final long freeBytes;
  private final HeldBack heldBack = new HeldBack();

  /**
   * Measures it now.
   *
   * @param running the counters of the broker; empty: it doesn't run
   */
  TierMeasure(StoreConfig config, TierConfig tier, Path path, Optional<OwnerCounters> running)
      throws IOException {
    this.config = config;
    this.tier = tier;
    this.path = path;
    this.running = running;
    long segments = TierUse.FileTotal.ofSegments(path).bytes;
    long pooled = TierUse.FileTotal.below(path.resolve("pool")).bytes;
    long quarantined = TierUse.FileTotal.below(HomeIdentity.quarantine(path)).bytes;
    FileStore store = Files.getFileStore(path);
    long onDevice = store.getUsableSpace();
    long capacity = tier.directoryCapacityBytes(onDevice, segments + quarantined);
    limits = new TierLimits(capacity, tier.threshold());
    // A running broker doesn't count what it is about to delete.
    segmentBytes = counter("segment.bytes").orElse(segments);
    freeBytes = Math.min(capacity - segments - pooled, onDevice) + pooled;
  }

  /** A counter of the tier, where that says something of this directory alone. */
  private OptionalLong counter(String name) {
    return tier.paths().size() == 1 && running.isPresent()
        ? running.get().find("tier." + tier.name() + "." + name)
        : OptionalLong.empty();
  }

  /**
   * Holds back what the last segment of a log will probably still take, if the broker appends to
   * it.
   *
   * @param expected what it will become
   */
  void holdBack(LogDirScan.Entry active, ExpectedSize expected, long nowMs) {
    long since = running.map(counters -> counters.get("started.ms")).orElse(Long.MAX_VALUE);
    boolean idle =
        growsAhead() && active.modifiedMs() < nowMs - config.internals().idle().toMillis();
    if (active.modifiedMs() >= since && !idle) {
      heldBack.add(
          expected.growthBytes(limits.capacityBytes(), false, active.bytes(), 0, 0),
          expected.isSure(limits.capacityBytes(), active.bytes()),
          0); // its rate isn't known here
    }
  }

  private boolean growsAhead() {
    String backEnd =
        running.map(counters -> counters.text("tier." + tier.name() + ".back.end")).orElse("");
    return !backEnd.equals(PersistBackend.WRITE.key());
  }

  /** The state that a choice takes. */
  TierState<Path> state() {
    boolean failed = counter("failed.directories").orElse(0) > 0;
    long room = failed || tier.draining() ? 0 : heldBack.leaves(freeBytes, limits.capacityBytes());
    return new TierState<>(path, limits, segmentBytes, 0, 0, room, failed, tier.draining());
  }
}
