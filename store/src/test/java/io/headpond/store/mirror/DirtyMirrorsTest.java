// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Appends add mirrors from any thread; a round takes each of them once. */
class DirtyMirrorsTest {
  private static final int MIRRORS = 4;
  private static final int TIMES = 20_000;

  private final DirtyMirrors dirty = new DirtyMirrors();

  /** A mirror of nothing, which is all that is needed to be in a list. */
  private static SegmentMirror mirror(final boolean isNew) {
    final MirrorFile file = new MirrorFile(null, Path.of("home"), "0", Path.of("tier"));
    return new SegmentMirror(null, file, 0, false, 100, isNew);
  }

  @Test
  void aRoundTakesEachMirrorOnceInTheOrderOfAppends() {
    final SegmentMirror first = mirror(true);
    final SegmentMirror second = mirror(true);
    dirty.add(first);
    dirty.add(second);
    dirty.add(first);
    assertThat(dirty.size()).isEqualTo(2);
    assertThat(dirty.behindBytes()).isEqualTo(200);
    assertThat(dirty.take()).containsExactly(first, second);
    assertThat(dirty.first()).isNull();
    dirty.add(first);
    assertThat(dirty.take()).containsExactly(first);
  }

  @Test
  void aRoundLeavesOutWhatIsStillToBeCaughtUp() {
    final SegmentMirror found = mirror(false);
    dirty.add(found);
    assertThat(dirty.take()).isEmpty();
    assertThat(found.queued).isFalse();
  }

  @Test
  void noMirrorIsLostOrTakenTwiceBesideAppends() throws InterruptedException {
    final List<SegmentMirror> mirrors =
        IntStream.range(0, MIRRORS).mapToObj(i -> mirror(true)).toList();
    final List<Thread> threads = new ArrayList<>();
    for (final SegmentMirror mirror : mirrors) {
      final Thread thread =
          new Thread(() -> IntStream.range(0, TIMES).forEach(time -> dirty.add(mirror)));
      threads.add(thread);
      thread.start();
    }
    for (int round = 0; threads.stream().anyMatch(Thread::isAlive); round++) {
      assertThat(dirty.take()).as("round " + round).doesNotHaveDuplicates();
    }
    for (final Thread thread : threads) {
      thread.join();
    }
    mirrors.forEach(dirty::add);
    assertThat(dirty.take()).containsExactlyInAnyOrderElementsOf(mirrors);
  }
}
