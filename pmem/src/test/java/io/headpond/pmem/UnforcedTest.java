// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnforcedTest {
  private final AppendShape shape = new AppendShape();
  private final Unforced unforced = new Unforced(0, shape, () -> 0);

  /** Of each force: did it cover the length? */
  private final List<Boolean> forces = new ArrayList<>();

  private void cover(long end) throws IOException {
    unforced.cover(() -> end, forces::add);
  }

  @Test
  void whatIsDurableIsNotForced() throws Exception {
    cover(0);
    unforced.written();
    cover(10);
    cover(10);
    assertThat(forces).containsExactly(false);
  }

  @Test
  void theLengthIsForcedOnceAfterACut() throws Exception {
    unforced.cut();
    cover(10);
    unforced.written();
    cover(20);
    assertThat(forces).containsExactly(true, false);
  }

  @Test
  void aForceThatFailsLeavesAllOfItUnforced() throws Exception {
    unforced.cut();
    assertThatThrownBy(
            () ->
                unforced.cover(
                    () -> 10,
                    length -> {
                      throw new IOException("the device");
                    }))
        .hasMessage("the device");
    assertThatThrownBy(
            () ->
                unforced.cover(
                    () -> 10,
                    length -> {
                      throw new OutOfMemoryError("as a thread that can't be made");
                    }))
        .isInstanceOf(OutOfMemoryError.class);
    cover(10);
    assertThat(forces).containsExactly(true);
  }

  @Test
  void whatIsWrittenOrCutBesideAForceIsLeftToTheNext() throws Exception {
    unforced.written();
    unforced.cover(
        () -> 10,
        length -> {
          forces.add(length);
          unforced.cut();
        });
    cover(5);
    assertThat(forces).containsExactly(false, true);
  }

  @Test
  void theShapeLearnsFromForcesOfAppendsAlone() throws Exception {
    unforced.written();
    cover(AppendShape.LARGE_BYTES);
    assertThat(shape.wantsZeros()).isFalse();
    for (int i = 0; i < 100; i++) {
      unforced.written(); // before the end
      cover(AppendShape.LARGE_BYTES);
    }
    assertThat(shape.wantsZeros()).isFalse();
  }
}
