// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.RunAhead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The owner's counters in a file, for whoever looks at the tiers from outside: {@code
 * .headpond.live} in the first directory of the first tier, replaced by a rename when something
 * changed. Not forced: it is worth nothing after a crash.
 */
final class LiveCounters {
  static final String FILE_NAME = ".headpond.live";

  private final List<List<TierDirectory>> tiers;
  private final Counters counters;
  private final RunAhead runAhead;
  private final Migrator migrator;
  private final Pace pace;
  private final Map<UUID, HomeSpace> homes;
  private final Path file;
  private final long startedMs = System.currentTimeMillis();
  private Map<String, Object> published = Map.of();
  private boolean failed;

  LiveCounters(
      final List<List<TierDirectory>> tiers,
      final Counters counters,
      final RunAhead runAhead,
      final Migrator migrator,
      final Pace pace,
      final Map<UUID, HomeSpace> homes) {
    this.tiers = tiers;
    this.counters = counters;
    this.runAhead = runAhead;
    this.migrator = migrator;
    this.pace = pace;
    this.homes = homes;
    file = tiers.isEmpty() ? null : tiers.get(0).get(0).ref.path().resolve(FILE_NAME);
  }

  /** Writes the file if a counter moved. */
  synchronized void publish() {
    final Map<String, Object> now = values();
    if (file == null || now.equals(published)) {
      return;
    }
    try {
      final StringBuilder text = new StringBuilder();
      now.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
      text.append("updated.ms=").append(System.currentTimeMillis()).append('\n');
      final Path temporary = file.resolveSibling(FILE_NAME + ".tmp");
      Files.write(temporary, text.toString().getBytes(StandardCharsets.ISO_8859_1));
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      published = now;
      failed = false;
    } catch (final IOException e) {
      if (!failed) {
        Events.LOG.warn("{}: the live counters can't be written; they are out of date", file, e);
        failed = true;
      }
    }
  }

  private Map<String, Object> values() {
    final Map<String, Object> values = new TreeMap<>();
    values.put("pid", ProcessHandle.current().pid());
    values.put("started.ms", startedMs);
    values.put("appended.bytes.durable", counters.appendedBytesDurable.sum());
    values.put("appended.bytes.emulated", counters.appendedBytesEmulated.sum());
    values.put("appended.bytes.volatile", counters.appendedBytesVolatile.sum());
    values.put("appended.bytes.unforced", counters.appendedBytesUnforced.sum());
    values.put("home.appended.bytes", counters.homeAppendedBytes.sum());
    values.put("overflow.segments", counters.overflowSegments.sum());
    values.put("evacuated.segments", counters.evacuatedSegments.sum());
    values.put("evacuated.bytes", counters.evacuatedBytes.sum());
    values.put("evacuation.stall.ms.max", counters.evacuationStallMsMax.get());
    values.put("reclaimed.files", counters.reclaimedFiles.sum());
    values.put("recycled.files", counters.recycledFiles.sum());
    values.put("quarantined.files", counters.quarantinedFiles.get());
    values.put("runahead.misses", runAhead.misses());
    values.put("migrated.down.segments", counters.migratedDownSegments.sum());
    values.put("migrated.down.bytes", counters.migratedDownBytes.sum());
    values.put("migrated.up.segments", counters.migratedUpSegments.sum());
    values.put("migrated.up.bytes", counters.migratedUpBytes.sum());
    values.put("migration.failures", counters.migrationFailures.sum());
    values.put("migration.running", migrator.runningMoves());
    values.put("migration.yielding", pace.yielding());
    values.put("migration.blocked", migrator.blocked().replace('\n', ' '));
    tiers.forEach(tier -> tier(tier, values));
    homes.forEach((id, home) -> home(id, home, values));
    return values;
  }

  private static void tier(final List<TierDirectory> tier, final Map<String, Object> values) {
    long used = 0;
    long segments = 0;
    long capacity = 0;
    long threshold = 0;
    long appended = 0;
    long failed = 0;
    for (final TierDirectory directory : tier) {
      used += directory.usedBytes();
      segments += directory.segmentBytes();
      capacity += directory.capacityBytes;
      threshold += directory.thresholdBytes();
      appended += directory.appendedBytes.sum();
      failed += directory.failed() ? 1 : 0;
    }
    final TierConfig config = tier.get(0).tier;
    final String prefix = "tier." + config.name() + ".";
    values.put(prefix + "used.bytes", used);
    values.put(prefix + "segment.bytes", segments);
    values.put(prefix + "capacity.bytes", capacity);
    values.put(prefix + "appended.bytes", appended);
    values.put(prefix + "threshold", config.threshold());
    values.put(prefix + "threshold.bytes", config.threshold() < 0 ? -1 : threshold);
    values.put(prefix + "failed.directories", failed);
  }

  private static void home(final UUID id, final HomeSpace home, final Map<String, Object> values) {
    final String prefix = "home." + id + ".";
    values.put(prefix + "reserve.bytes", home.reserveBytes());
    values.put(prefix + "reserve.touched", home.low());
  }
}
