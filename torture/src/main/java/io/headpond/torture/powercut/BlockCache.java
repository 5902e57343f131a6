// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.util.Locale;

/**
 * A block cache of the guest's kernel that puts all of the fast disk before all of home's, made
 * when the guest starts.
 *
 * <p>Source of the tables: {@code writecache.rst} and {@code cache.rst} of the kernel's {@code
 * Documentation/admin-guide/device-mapper}; of the settings: its {@code bcache.rst}.
 */
public enum BlockCache {
  /** The disks are apart. */
  NONE,

  /** dm-writecache on an SSD, its defaults. */
  WRITECACHE,

  /** The same, which writes back as soon as 1 % of it is dirty, as a fuller one does by default. */
  WRITECACHE_FILLING,

  /** bcache with writeback, also of what is sequential or comes while the fast disk is busy. */
  BCACHE,

  /** dm-cache with writeback, by the tables that lvmcache makes; there is no LVM in the guest. */
  DM_CACHE;

  /** Where a script leaves the device of home: it is printed. */
  static final String HOME = "/dev/mapper/home";

  /** bcache's default offset of the data on its backing device. */
  private static final long BCACHE_OFFSET = 16 * 512;

  private static final long SECTORS_PER_MIB = 2048;

  /** As lvmcache has it at least, 8 MiB. */
  private static final long METADATA_SECTORS = 8 * SECTORS_PER_MIB;

  /** lvmcache's smallest chunk, 64 KiB. */
  private static final long CHUNK_SECTORS = 128;

  private static final String HEAD =
      """
      set -e
      export DM_DISABLE_UDEV=1
      for module in %s; do
        [ ! -f /modules/$module.ko ] || insmod /modules/$module.ko >&2
      done
      """;

  /** As results name it. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Where home's file system begins on its disk, in bytes. */
  long homeOffset() {
    return this == BCACHE ? BCACHE_OFFSET : 0;
  }

  /** The table of the device {@code home}, for a policy of dm-cache. */
  static String cacheTable(long mebibytes, String policy) {
    return String.format(
        "0 %d cache /dev/mapper/meta /dev/mapper/data /dev/vdc %d 2 metadata2 writeback %s 0",
        mebibytes * SECTORS_PER_MIB, CHUNK_SECTORS, policy);
  }

  /**
   * The script that makes the device of home out of both disks, and prints its file.
   *
   * @param mebibytes of each disk
   */
  String script(long mebibytes) {
    long sectors = mebibytes * SECTORS_PER_MIB;
    return switch (this) {
      case NONE -> throw new IllegalStateException("there is nothing to make");
      case WRITECACHE -> writecache(sectors, "0");
      case WRITECACHE_FILLING ->
          writecache(sectors, "6 high_watermark 1 low_watermark 0 pause_writeback 0");
      case DM_CACHE ->
          HEAD.formatted("dm-mod dm-bufio dm-bio-prison dm-persistent-data dm-cache dm-cache-smq")
              + create("meta", "0 " + METADATA_SECTORS + " linear /dev/vdd 0")
              + create(
                  "data",
                  "0 " + (sectors - METADATA_SECTORS) + " linear /dev/vdd " + METADATA_SECTORS)
              + create("home", cacheTable(mebibytes, "smq"))
              + "echo "
              + HOME
              + "\n";
      case BCACHE ->
          HEAD.formatted("crc64 bcache")
              + """
              make-bcache --writeback --bdev /dev/vdc --cache /dev/vdd >&2
              echo /dev/vdd >/sys/fs/bcache/register
              echo /dev/vdc >/sys/fs/bcache/register
              tries=0
              until [ -b /dev/bcache0 ] && [ -e /sys/block/bcache0/bcache/cache ]; do
                tries=$((tries + 1))
                [ $tries -lt 100 ]
                usleep 100000
              done
              echo writeback >/sys/block/bcache0/bcache/cache_mode
              echo 0 >/sys/block/bcache0/bcache/sequential_cutoff
              echo 0 >/sys/block/bcache0/bcache/cache/congested_read_threshold_us
              echo 0 >/sys/block/bcache0/bcache/cache/congested_write_threshold_us
              echo /dev/bcache0
              """;
    };
  }

  private static String writecache(long sectors, String options) {
    return HEAD.formatted("dm-mod dm-bufio dm-writecache")
        + create("home", "0 " + sectors + " writecache s /dev/vdc /dev/vdd 4096 " + options)
        + "echo "
        + HOME
        + "\n";
  }

  private static String create(String name, String table) {
    return "dmsetup create " + name + " --table '" + table + "' >&2\n";
  }

  /**
   * The script that brings home what only the fast disk has.
   *
   * @param mebibytes of each disk
   */
  String writeBack(long mebibytes) {
    return switch (this) {
      case NONE -> "";
      case WRITECACHE, WRITECACHE_FILLING -> "dmsetup message home 0 flush\n";
      case DM_CACHE ->
          reload(mebibytes, "cleaner")
              + "until [ \"$(dmsetup status home | cut -d ' ' -f 14)\" = 0 ]; do sleep 1; done\n";
      case BCACHE ->
          """
          echo 0 >/sys/block/bcache0/bcache/writeback_delay
          echo 0 >/sys/block/bcache0/bcache/writeback_percent
          until [ "$(cat /sys/block/bcache0/bcache/state)" = clean ]; do sleep 1; done
          """;
    };
  }

  /**
   * The script that makes it cache again after {@link #writeBack}.
   *
   * @param mebibytes of each disk
   */
  String cacheAgain(long mebibytes) {
    return switch (this) {
      case NONE, WRITECACHE, WRITECACHE_FILLING -> "";
      case DM_CACHE -> reload(mebibytes, "smq");
      case BCACHE ->
          """
          echo 10 >/sys/block/bcache0/bcache/writeback_percent
          echo 30 >/sys/block/bcache0/bcache/writeback_delay
          """;
    };
  }

  private static String reload(long mebibytes, String policy) {
    return """
        export DM_DISABLE_UDEV=1
        dmsetup reload home --table '%s'
        dmsetup suspend home
        dmsetup resume home
        """
        .formatted(cacheTable(mebibytes, policy));
  }
}
