// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.memory.StoreLog.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgettingMemoryTest {
  private static final int LINE = ForgettingMemory.LINE;
  private static final int ATOM = ForgettingMemory.ATOM;
  private static final int LINES = 32;
  private static final int SEEDS = 100;

  @TempDir Path folder;
  private Path file;
  private StoreLog log;
  private byte[] before;

  @BeforeEach
  void make() throws IOException {
    file = folder.resolve("nvdimm");
    before = new byte[LINES * LINE];
    Arrays.fill(before, (byte) 1);
    powerOn();
  }

  private void powerOn() throws IOException {
    Files.write(file, before);
    log = StoreLog.create(folder.resolve("log"), 10_000);
  }

  private ForgettingMemory memory(long seed) throws IOException {
    return new ForgettingMemory(file, folder.resolve("durable"), log, seed);
  }

  /** The store reaches the file, as QEMU's does, and the log. */
  private void store(Kind kind, int offset, byte... value) throws IOException {
    unlogged(offset, value);
    log.add(kind, offset, value);
  }

  private void unlogged(int offset, byte... value) throws IOException {
    try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "rw")) {
      memory.seek(offset);
      memory.write(value);
    }
  }

  private static byte[] eight(int value) {
    byte[] bytes = new byte[ATOM];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private interface Program {
    void run() throws IOException;
  }

  /** The values of a byte that cuts leave, by many seeds. */
  private boolean[] left(int offset, Program program) throws IOException {
    boolean[] left = new boolean[16];
    for (long seed = 0; seed < SEEDS; seed++) {
      powerOn();
      ForgettingMemory memory = memory(seed);
      program.run();
      memory.cut();
      left[Files.readAllBytes(file)[offset]] = true;
    }
    return left;
  }

  private static boolean[] only(int... values) {
    boolean[] all = new boolean[16];
    for (int value : values) {
      all[value] = true;
    }
    return all;
  }

  @Test
  void aStoreMayBeLostUntilItsLineIsWrittenBackAndFenced() throws Exception {
    Program store = () -> store(Kind.STORE, 72, eight(2));
    Program flush = () -> log.add(Kind.FLUSH, 100);
    Program fence = () -> log.add(Kind.FENCE, 0);
    assertThat(left(72, store)).isEqualTo(only(1, 2));
    assertThat(left(72, all(store, flush))).isEqualTo(only(1, 2));
    assertThat(left(72, all(store, fence))).isEqualTo(only(1, 2));
    assertThat(left(72, all(flush, store, fence))).isEqualTo(only(1, 2));
    assertThat(left(72, all(store, flush, fence))).isEqualTo(only(2));
  }

  @Test
  void aStorePastTheCacheIsDurableAtTheNextFence() throws Exception {
    Program store = () -> store(Kind.STREAM, 72, eight(2));
    Program fence = () -> log.add(Kind.FENCE, 0);
    assertThat(left(72, store)).isEqualTo(only(1, 2));
    assertThat(left(72, all(store, fence))).isEqualTo(only(2));
  }

  @Test
  void whatIsStoredBetweenWriteBackAndFenceMayBeLost() throws Exception {
    Program program =
        () -> {
          store(Kind.STORE, 72, eight(2));
          log.add(Kind.FLUSH, 72);
          store(Kind.STORE, 72, eight(3));
          log.add(Kind.FENCE, 0);
        };
    assertThat(left(72, program)).isEqualTo(only(2, 3));
  }

  @Test
  void aLineIsTornBetweenItsAtomsAndNowhereElse() throws Exception {
    boolean torn = false;
    for (long seed = 0; seed < SEEDS; seed++) {
      powerOn();
      ForgettingMemory memory = memory(seed);
      for (int at = 0; at < LINE; at += ATOM) {
        store(Kind.STORE, 128 + at, eight(2));
      }
      Forgotten forgotten = memory.cut();
      byte[] left = Files.readAllBytes(file);
      for (int i = 0; i < left.length; i++) {
        boolean stored = i >= 128 && i < 128 + LINE;
        if (left[i] != left[i / ATOM * ATOM] || left[i] != 1 && !(stored && left[i] == 2)) {
          throw new AssertionError("seed " + seed + ", byte " + i + ": " + left[i]);
        }
      }
      assertThat(forgotten.writes()).isEqualTo(1);
      torn |= forgotten.torn() == 1;
    }
    assertThat(torn).isTrue();
  }

  @Test
  void aStoreOfTwoLinesIsLostInEachByItself() throws Exception {
    Program program =
        () -> {
          store(Kind.STORE, 124, eight(2));
          log.add(Kind.FLUSH, 124);
          log.add(Kind.FENCE, 0);
        };
    assertThat(left(127, program)).isEqualTo(only(2));
    assertThat(left(128, program)).isEqualTo(only(1, 2));
  }

  @Test
  void aStoreThatDidNotReachTheLogMayBeLost() throws Exception {
    assertThat(left(72, () -> unlogged(72, eight(2)))).isEqualTo(only(1, 2));
  }

  @Test
  void aLogThatMissesStoresIsRefused() throws Exception {
    ForgettingMemory memory = memory(1);
    for (int line = 0; line < 5; line++) {
      unlogged(line * LINE, eight(2));
    }
    assertThatThrownBy(memory::cut).hasMessageContaining("the log of stores is incomplete");
  }

  @Test
  void aCopyLosesAndTheMemoryGoesOn() throws Exception {
    ForgettingMemory memory = memory(3);
    store(Kind.STORE, 10 * LINE, eight(2));
    Path copy = folder.resolve("copy");
    boolean lost = false;
    for (int i = 0; i < SEEDS; i++) {
      Files.write(copy, Arrays.copyOfRange(Files.readAllBytes(file), 8 * LINE, LINES * LINE));
      memory.cut(copy, 8 * LINE);
      lost |= Files.readAllBytes(copy)[2 * LINE] == 1;
      assertThat(Files.readAllBytes(file)[10 * LINE]).isEqualTo((byte) 2);
    }
    assertThat(lost).isTrue();
    log.add(Kind.FLUSH, 10 * LINE);
    log.add(Kind.FENCE, 0);
    assertThat(memory.cut().writes()).isZero();
  }

  @Test
  void whateverIsDoneWhatIsDurableStays() throws Exception {
    for (long seed = 0; seed < SEEDS; seed++) {
      powerOn();
      Random random = new Random(seed);
      ForgettingMemory memory = memory(seed);
      int[] durable = new int[LINES];
      int[] flushed = new int[LINES];
      int[] newest = new int[LINES];
      Arrays.fill(durable, 1);
      Arrays.fill(newest, 1);
      for (int i = 2; i < 100; i++) {
        int line = random.nextInt(LINES);
        switch (random.nextInt(4)) {
          case 0, 1 -> store(Kind.STORE, line * LINE, eight(newest[line] = i));
          case 2 -> {
            log.add(Kind.FLUSH, line * LINE);
            flushed[line] = newest[line];
          }
          default -> {
            log.add(Kind.FENCE, 0);
            Arrays.setAll(durable, each -> Math.max(durable[each], flushed[each]));
          }
        }
      }
      memory.cut();
      byte[] left = Files.readAllBytes(file);
      for (int line = 0; line < LINES; line++) {
        assertThat((int) left[line * LINE])
            .as("seed %d, line %d", seed, line)
            .isBetween(durable[line], newest[line]);
      }
    }
  }

  private static Program all(Program... programs) {
    return () -> {
      for (Program program : programs) {
        program.run();
      }
    };
  }
}
