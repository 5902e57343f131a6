// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockCacheTest {
  private static final long MIB = 512;
  private static final long SECTORS = 1_048_576;

  private static List<String> created(BlockCache cache) {
    return cache.script(MIB).lines().filter(line -> line.startsWith("dmsetup create")).toList();
  }

  @Test
  void writecacheIsOneTableOverBothDisks() {
    assertThat(created(BlockCache.WRITECACHE))
        .containsExactly(
            "dmsetup create home --table '0 1048576 writecache s /dev/vdc /dev/vdd 4096 0' >&2");
  }

  @Test
  void aWritecacheThatFillsWritesBackFromOnePerCentOn() {
    assertThat(created(BlockCache.WRITECACHE_FILLING).get(0))
        .contains(
            "writecache s /dev/vdc /dev/vdd 4096 6 high_watermark 1 low_watermark 0 pause_writeback 0'");
  }

  @Test
  void dmCacheDividesTheFastDiskInMetadataAndData() {
    assertThat(created(BlockCache.DM_CACHE))
        .containsExactly(
            "dmsetup create meta --table '0 16384 linear /dev/vdd 0' >&2",
            "dmsetup create data --table '0 1032192 linear /dev/vdd 16384' >&2",
            "dmsetup create home --table '" + BlockCache.cacheTable(MIB, "smq") + "' >&2");
  }

  @Test
  void theCleanerHasTheSameTableButForThePolicy() {
    assertThat(BlockCache.cacheTable(MIB, "cleaner"))
        .isEqualTo(
            "0 "
                + SECTORS
                + " cache /dev/mapper/meta /dev/mapper/data /dev/vdc 128"
                + " 2 metadata2 writeback cleaner 0");
    assertThat(BlockCache.DM_CACHE.writeBack(MIB)).contains("writeback cleaner 0");
    assertThat(BlockCache.DM_CACHE.cacheAgain(MIB)).contains("writeback smq 0");
  }

  @Test
  void bcacheTakesSequentialWritesTooAndHasAHeader() {
    assertThat(BlockCache.BCACHE.script(MIB)).contains("echo 0 >/sys/block/bcache0/bcache/seq");
    assertThat(BlockCache.BCACHE.homeOffset()).isEqualTo(8192);
    assertThat(BlockCache.WRITECACHE.homeOffset()).isZero();
  }

  /** By the host's shell, which reads them and runs nothing. */
  @ParameterizedTest
  @EnumSource
  void everyScriptIsOneThatAShellUnderstands(CountedWay way, @TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("script");
    BlockCache cache = way.devices().cache();
    try (GuestOrders orders = new GuestOrders()) {
      List<String> scripts =
          Stream.concat(
                  Stream.of(way.begin(MIB), way.settle(MIB), orders.script("/app/orders")),
                  cache == BlockCache.NONE ? Stream.empty() : Stream.of(cache.script(MIB)))
              .toList();
      for (String script : scripts) {
        Files.writeString(file, script);
        Process shell = new ProcessBuilder("sh", "-n", file.toString()).inheritIO().start();
        assertThat(shell.waitFor()).as(script).isZero();
      }
    }
  }
}
