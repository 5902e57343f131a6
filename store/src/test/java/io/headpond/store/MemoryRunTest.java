// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryRunTest {
  private static final int WINDOW = ColdReads.WINDOW_BYTES;

  /** 512 KiB at 8 GB/s. */
  private static final long MEMORY_NANOS = WINDOW / 8;

  @Test
  void theLongerARunTheMoreOfTheNextWindowsAreTrusted() {
    MemoryRun run = MemoryRun.NONE;
    final int[] unread = new int[6];
    for (int i = 0; i < unread.length; i++) {
      run = run.then(WINDOW, MEMORY_NANOS);
      unread[i] = run.unread();
    }
    assertThat(unread).containsExactly(1, 2, 4, 8, 8, 8);
  }

  @Test
  void onlyWhatIsTrustedIsSkipped() {
    MemoryRun run = MemoryRun.NONE.then(WINDOW, MEMORY_NANOS).then(WINDOW, MEMORY_NANOS);
    run = run.skip();
    assertThat(run.trusted()).isTrue();
    run = run.skip();
    assertThat(run.trusted()).isFalse();
    assertThat(run.then(WINDOW, MEMORY_NANOS).unread()).isEqualTo(4);
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

  @Test
  void oneWindowThatWasNotInMemoryEndsTheRun() {
    MemoryRun run = MemoryRun.NONE;
    for (int i = 0; i < 10; i++) {
      run = run.then(WINDOW, MEMORY_NANOS);
    }
    assertThat(run.then(WINDOW, WINDOW)).isEqualTo(MemoryRun.NONE);
    assertThat(MemoryRun.NONE.then(0, 1)).isEqualTo(MemoryRun.NONE);
  }
}
