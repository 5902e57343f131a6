// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The treatment of the page cache by a segment's copy at home.
 *
 * <p>Design note: an engine without tiers reads what was written lately from the page cache. A tier
 * that is smaller than the page cache sends segments home that would still be in it, and a consumer
 * that is a little behind would meet the slow disk. A larger tier sends home only what would have
 * left the page cache long ago, and caching its copy would evict what is hotter. A copy through the
 * page cache has its price: all bytes of a force lie in the disk's queue at once, and the engine's
 * own files at home wait behind them, so it is paid only where somebody reads. Any thread.
 */
final class PageCache {
  private static final long UNLIMITED_FROM = Long.MAX_VALUE / 2;

  private final Optional<Boolean> caches;
  private final long tierBytes;
  private final LongSupplier cacheBytes;

  /**
   * The choice for a store.
   *
   * @param caches decides instead; empty: nothing does
   * @param tierBytes the capacity of all tiers above home
   * @param cacheBytes what the page cache may hold now; negative: unknown
   */
  PageCache(final Optional<Boolean> caches, final long tierBytes, final LongSupplier cacheBytes) {
    this.caches = caches;
    this.tierBytes = tierBytes;
    this.cacheBytes = cacheBytes;
  }

  /**
   * True if a copy at home is to go past the page cache.
   *
   * @param readBehind whether somebody reads its log behind the end
   */
  boolean passedBy(final boolean readBehind) {
    final boolean cached =
        caches.orElseGet(() -> readBehind && cacheBytes.getAsLong() >= tierBytes);
    return !cached;
  }

  /**
   * The bytes that the page cache may hold: the machine's available memory (proc(5), {@code
   * MemAvailable}), or what the process's control group leaves beside its heap if that is less.
   *
   * @param heapBytes what the heap may grow to
   * @return bytes; negative if the kernel doesn't tell
   */
  static long bytes(final FileSystem fileSystem, final long heapBytes) {
    final long available = availableBytes(fileSystem);
    final long limit =
        Math.min(
            limitBytes(fileSystem, "/sys/fs/cgroup/memory.max"),
            limitBytes(fileSystem, "/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    return limit >= UNLIMITED_FROM ? available : Math.min(available, limit - heapBytes);
  }

  private static long availableBytes(final FileSystem fileSystem) {
    try {
      for (final String line : Files.readAllLines(fileSystem.getPath("/proc/meminfo"))) {
        if (line.startsWith("MemAvailable:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
      return -1;
    } catch (final IOException | RuntimeException unknown) {
      return -1;
    }
  }

  private static long limitBytes(final FileSystem fileSystem, final String file) {
    try {
      return Long.parseLong(Files.readString(fileSystem.getPath(file)).strip());
    } catch (final IOException | RuntimeException none) {
      return Long.MAX_VALUE; // "max", or another kind of control group
    }
  }
}
