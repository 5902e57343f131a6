// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryRunTest {
  private static final int WINDOW = ColdReads.WINDOW_BYTES;

  /** 512 KiB at 8 GB/s. */
  private static final long MEMORY_NANOS = WINDOW / 8;

  private static MemoryRun read(final MemoryRun from, final int windows) {
    MemoryRun run = from;
    for (int i = 0; i < windows; i++) {
      run = run.then(WINDOW, MEMORY_NANOS);
    }
    return run;
  }

  @Test
  void onlyALongRunIsTrustedAndOnlyForAFewWindows() {
    assertThat(read(MemoryRun.NONE, 63).trusted()).isFalse();
    MemoryRun run = read(MemoryRun.NONE, 64);
    for (int i = 0; i < 8; i++) {
      assertThat(run.trusted()).isTrue();
      run = run.skip();
    }
    assertThat(run.trusted()).isFalse();
    assertThat(read(run, 1).unread()).isEqualTo(8);
  }

  /** As long as its slice has bytes left: 2 GB/s, and then nothing for the rest of 100 ms. */
  @Test
  void aLimitedVolumeIsNeverTakenForMemory() {
    MemoryRun run = MemoryRun.NONE;
    for (int i = 0; i < 1_000; i++) {
      run = run.then(WINDOW, i % 10 == 9 ? 95_000_000 : WINDOW / 2);
      assertThat(run.trusted()).isFalse();
    }
  }

  /** 8 MiB at a time, of which the first window waits for all. */
  @Test
  void whatTheKernelReadAheadIsNotTakenForMemory() {
    MemoryRun run = MemoryRun.NONE;
    for (int i = 0; i < 1_000; i++) {
      run = run.then(WINDOW, i % 16 == 0 ? 160_000_000 : MEMORY_NANOS);
      assertThat(run.trusted()).isFalse();
    }
  }

  @Test
  void oneWindowThatWasNotInMemoryEndsTheRun() {
    assertThat(read(MemoryRun.NONE, 100).then(WINDOW, WINDOW)).isEqualTo(MemoryRun.NONE);
    assertThat(MemoryRun.NONE.then(0, 1)).isEqualTo(MemoryRun.NONE);
  }
}
