// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgettingDiskTest {
  private static final int SECTOR = ForgettingDisk.SECTOR;
  private static final int BLOCK = 8 * SECTOR;
  private static final int BLOCKS = 32;
  private static final int SEEDS = 300;

  @TempDir Path folder;
  private Path image;

  @BeforeEach
  void nameImage() {
    image = folder.resolve("image");
  }

  private ForgettingDisk emptyDisk(long seed) throws IOException {
    Files.write(image, new byte[BLOCKS * BLOCK]);
    return new ForgettingDisk(image, seed, SECTOR);
  }

  private static byte[] block(int value) {
    byte[] data = new byte[BLOCK];
    Arrays.fill(data, (byte) value);
    return data;
  }

  /** The first bytes of the sectors of a file. */
  private static int[] sectors(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int[] sectors = new int[bytes.length / SECTOR];
    for (int i = 0; i < sectors.length; i++) {
      sectors[i] = bytes[i * SECTOR];
      for (int at = i * SECTOR; at < (i + 1) * SECTOR; at++) {
        if (bytes[at] != sectors[i]) {
          throw new AssertionError("a torn sector: " + i);
        }
      }
    }
    return sectors;
  }

  @Test
  void aPhysicalBlockIsNeverTorn() throws Exception {
    int perBlock = BLOCK / SECTOR;
    long torn = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Files.write(image, new byte[BLOCKS * BLOCK]);
      try (ForgettingDisk disk = new ForgettingDisk(image, seed, BLOCK)) {
        byte[] blocks = new byte[4 * BLOCK];
        Arrays.fill(blocks, (byte) 1);
        disk.write(BLOCK, blocks);
        torn += disk.cut().torn();
      }
      int[] sectors = sectors(image);
      for (int i = 0; i < sectors.length; i++) {
        assertThat(sectors[i])
            .as("seed %d, sector %d", seed, i)
            .isEqualTo(sectors[i / perBlock * perBlock]);
      }
    }
    assertThat(torn).as("writes torn between blocks").isGreaterThan(SEEDS / 50);
  }

  @Test
  void nothingThatWasFlushedOrWrittenThroughIsEverLost() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (ForgettingDisk disk = emptyDisk(seed)) {
        disk.write(0, block(1));
        disk.write(BLOCK, block(2));
        disk.flush();
        disk.write(BLOCK, block(3));
        disk.write(2 * BLOCK, block(4));
        disk.writeThrough(2 * BLOCK, block(5));
        disk.cut();
        int[] found = sectors(image);
        assertThat(Arrays.copyOf(found, 8)).containsOnly(1);
        assertThat(Arrays.copyOfRange(found, 8, 16)).containsAnyOf(2, 3).doesNotContain(0, 4, 5);
        assertThat(Arrays.copyOfRange(found, 16, 24)).containsOnly(5);
      }
    }
  }

  @Test
  void whatWasNotFlushedIsKeptLostTornAndReordered() throws Exception {
    int kept = 0;
    int lost = 0;
    int torn = 0;
    int reordered = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (ForgettingDisk disk = emptyDisk(seed)) {
        disk.write(0, block(1));
        disk.write(BLOCK, block(1));
        Forgotten forgotten = disk.cut();
        int[] found = sectors(image);
        int first = Arrays.stream(found, 0, 8).sum();
        int second = Arrays.stream(found, 8, 16).sum();
        assertThat(forgotten.writes()).isEqualTo(2);
        assertThat(forgotten.lost()).isEqualTo((first == 0 ? 1 : 0) + (second == 0 ? 1 : 0));
        assertThat(forgotten.torn()).isEqualTo((first % 8 > 0 ? 1 : 0) + (second % 8 > 0 ? 1 : 0));
        kept += first == 8 && second == 8 ? 1 : 0;
        lost += first == 0 && second == 0 ? 1 : 0;
        torn += first % 8 > 0 ? 1 : 0;
        reordered += first == 0 && second == 8 ? 1 : 0;
      }
    }
    assertThat(List.of(kept, lost, torn, reordered)).allMatch(count -> count > SEEDS / 50);
  }

  @Test
  void ofTwoWritesToOneSectorTheLaterPrevailsIfBothAreKept() throws Exception {
    boolean[] seen = new boolean[3];
    for (int seed = 0; seed < SEEDS; seed++) {
      try (ForgettingDisk disk = emptyDisk(seed)) {
        disk.write(0, Arrays.copyOf(block(1), SECTOR));
        disk.write(0, Arrays.copyOf(block(2), SECTOR));
        assertThat(disk.read(0, SECTOR)).containsOnly(2);
        long lost = disk.cut().lost();
        int found = sectors(image)[0];
        assertThat(found).isEqualTo(lost == 0 ? 2 : lost == 2 ? 0 : found);
        seen[found] = true;
      }
    }
    assertThat(seen).containsOnly(true);
  }

  @Test
  void theSameSeedForgetsTheSame() throws Exception {
    int[][] found = new int[2][];
    for (int i = 0; i < 2; i++) {
      try (ForgettingDisk disk = emptyDisk(7)) {
        for (int block = 0; block < BLOCKS; block++) {
          disk.write((long) block * BLOCK, block(1));
        }
        disk.cut();
        found[i] = sectors(image);
      }
    }
    assertThat(found[0]).isEqualTo(found[1]).contains(0).contains(1);
  }

  @Test
  void aPartialFlushLeavesLaterWritesInTheCache() throws Exception {
    try (ForgettingDisk disk = emptyDisk(1)) {
      disk.write(0, block(1));
      int complete = disk.cachedWrites();
      disk.write(0, block(2));
      disk.flush(complete);
      assertThat(Arrays.copyOf(sectors(image), 8)).containsOnly(1);
      assertThat(disk.read(0, BLOCK)).containsOnly(2);
      assertThat(disk.cachedWrites()).isEqualTo(1);
    }
  }

  @Test
  void aCacheThatIsFullIsWrittenOut() throws Exception {
    try (ForgettingDisk disk = emptyDisk(1)) {
      byte[] data = new byte[BLOCKS * BLOCK];
      Arrays.fill(data, (byte) 3);
      for (long held = 0; held < ForgettingDisk.CACHE_BYTES_MAX; held += data.length) {
        disk.write(0, data);
      }
      assertThat(sectors(image)).containsOnly(0);
      disk.write(0, block(4));
      assertThat(sectors(image)).containsOnly(3);
      assertThat(disk.cachedWrites()).isEqualTo(1);
    }
  }

  @Test
  void aCopyIsWhatACutWouldLeaveAndTheDiskGoesOn() throws Exception {
    try (ForgettingDisk disk = emptyDisk(3)) {
      boolean missing = false;
      disk.write(0, block(1));
      disk.flush();
      disk.write(BLOCK, block(2));
      for (int i = 0; i < SEEDS; i++) {
        Path copy = folder.resolve("copy-" + i);
        disk.copyAsIfCut(copy);
        int[] found = sectors(copy);
        assertThat(found).hasSize(8 * BLOCKS);
        assertThat(Arrays.copyOf(found, 8)).containsOnly(1);
        missing |= Arrays.stream(found, 8, 16).sum() < 16;
      }
      assertThat(missing).isTrue();
      assertThat(disk.read(BLOCK, BLOCK)).containsOnly(2);
      assertThat(disk.cachedWrites()).isEqualTo(1);
    }
  }

  /** Against a model: by sector, what is durable and what was written since. */
  @Test
  void aSectorIsAsItWasDurableOrAsAWriteSinceThenMadeIt() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      try (ForgettingDisk disk = emptyDisk(seed)) {
        int[] oldest = new int[8 * BLOCKS];
        int[] newest = new int[8 * BLOCKS];
        for (int value = 1; value < 100; value++) {
          int first = random.nextInt(8 * BLOCKS - 16);
          int end = first + 1 + random.nextInt(16);
          byte[] data = new byte[(end - first) * SECTOR];
          Arrays.fill(data, (byte) value);
          Arrays.fill(newest, first, end, value);
          if (random.nextInt(10) == 0) {
            disk.writeThrough((long) first * SECTOR, data);
            Arrays.fill(oldest, first, end, value);
          } else {
            disk.write((long) first * SECTOR, data);
          }
          if (random.nextInt(20) == 0) {
            disk.flush();
            oldest = newest.clone();
          }
        }
        int[] read = new int[newest.length];
        for (int i = 0; i < read.length; i++) {
          read[i] = disk.read((long) i * SECTOR, SECTOR)[0];
        }
        assertThat(read).isEqualTo(newest);
        disk.cut();
        int[] found = sectors(image);
        for (int i = 0; i < found.length; i++) {
          if (found[i] < oldest[i] || found[i] > newest[i]) {
            throw new AssertionError("seed " + seed + ", sector " + i + ": " + found[i]);
          }
        }
      }
    }
  }

  @Test
  void onlyWholeSectorsOfTheDiskAreServed() throws Exception {
    try (ForgettingDisk disk = emptyDisk(1)) {
      assertThatThrownBy(() -> disk.write(1, block(1))).hasMessageContaining("no whole sectors");
      assertThatThrownBy(() -> disk.read(0, 100)).hasMessageContaining("no whole sectors");
      assertThatThrownBy(() -> disk.read((BLOCKS - 1) * BLOCK, 2 * BLOCK))
          .hasMessageContaining("no whole sectors");
      assertThatThrownBy(() -> disk.read(-BLOCK, BLOCK)).hasMessageContaining("no whole sectors");
    }
  }
}
