// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A way to use the same two disks below an unmodified Kafka broker whose appends are forced. */
enum CountedWay {
  /** Vanilla Kafka on home's disk; the fast one lies idle. */
  HOME_ALONE(BlockCache.NONE, "home's disk alone"),

  /** Kafka with Headpond, a file tier on the fast disk. */
  HEADPOND(BlockCache.NONE, "Headpond, file tier"),

  /** The same, mirrored home within a second. */
  HEADPOND_MIRROR(BlockCache.NONE, "Headpond, tier mirrored within 1 s"),

  /** Vanilla Kafka on dm-writecache. */
  WRITECACHE(BlockCache.WRITECACHE, "dm-writecache"),

  /** The same that writes back soon. */
  WRITECACHE_FILLING(BlockCache.WRITECACHE_FILLING, "dm-writecache, writes back from 1 % on"),

  /** Vanilla Kafka on bcache. */
  BCACHE(BlockCache.BCACHE, "bcache, writeback"),

  /** Vanilla Kafka on dm-cache. */
  DM_CACHE(BlockCache.DM_CACHE, "dm-cache, writeback");

  /** The tier's name. */
  static final String TIER = "fast";

  /**
   * Shell commands that take a tier out of a running broker, as {@code headpond tier remove} does.
   */
  private static final String REMOVE_TIER =
      """
      request=/home/logs/.headpond-request
      printf 'action=remove\\nformat=1\\nid=%s\\ntier=fast\\n' \
        "$(cat /proc/sys/kernel/random/uuid)" >$request.new
      mv $request.new $request
      until grep -q '^state=\\(done\\|failed\\|refused\\)' /home/logs/.headpond-answer 2>/dev/null; do
        sleep 1
      done
      grep -q '^state=done' /home/logs/.headpond-answer
      """;

  private final BlockCache cache;
  private final String words;

  CountedWay(BlockCache cache, String words) {
    this.cache = cache;
    this.words = words;
  }

  /** As {@code --ways} and results name it. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** As tables call it. */
  String words() {
    return words;
  }

  /** As tables call the one of an {@link #id}. */
  static String words(String id) {
    return Stream.of(values()).filter(each -> each.id().equals(id)).findFirst().orElseThrow().words;
  }

  /** The devices below it. */
  Devices devices() {
    return new Devices(FastDevice.DISK, Disk.KEEPS, Memory.KEEPS, GuestFileSystem.EXT4, cache);
  }

  /** True if the plug-in is in the broker. */
  boolean headpond() {
    return this == HEADPOND || this == HEADPOND_MIRROR;
  }

  /** The broker's set-up, by which each append is durable when it is acknowledged. */
  ServedEngine.Variant variant() {
    Map<String, String> settings = new TreeMap<>();
    // An idle controller writes nothing then, so that time doesn't count.
    settings.put("metadata.max.idle.interval.ms", "0");
    if (headpond()) {
      settings.put("headpond.tiers", TIER);
      settings.put("headpond.tier.fast.type", "file");
      settings.put("headpond.tier.fast.paths", FastDevice.DISK.directory("tier"));
      settings.put("headpond.durability", "append");
      // Written once for each disk, 10 MB here, at a moment of its own.
      settings.put("headpond.home.ballast", "0");
    } else {
      settings.put("log.flush.interval.messages", "1");
    }
    if (this == HEADPOND_MIRROR) {
      settings.put("headpond.tier.fast.mirror", "1s");
    }
    return new ServedEngine.Variant(words, settings, headpond());
  }

  /**
   * The script, for a shell that ends at the first failure, after which the load may begin: what
   * the broker's start has written is at home.
   */
  String begin(long mebibytes) {
    return "sync\n" + cache.writeBack(mebibytes) + cache.cacheAgain(mebibytes) + "sync\n";
  }

  /**
   * The script, for a shell that ends at the first failure, by which the guest brings home what
   * only the fast disk has.
   */
  String settle(long mebibytes) {
    return "sync\n" + (headpond() ? REMOVE_TIER : cache.writeBack(mebibytes)) + "sync\n";
  }

  @Override
  public String toString() {
    return id();
  }
}
