// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyBufferTest {
  private static final int BLOCK = 4_096;

  @TempDir Path root;

  @Test
  void aThreadTakesWhatItGaveBack() {
    final CopyBuffer first = CopyBuffer.take(BLOCK);
    final ByteBuffer bytes = first.bytes();
    first.close();
    first.close();
    try (CopyBuffer second = CopyBuffer.take(1);
        CopyBuffer other = CopyBuffer.take(BLOCK)) {
      assertThat(second.bytes()).isSameAs(bytes);
      assertThat(other.bytes()).isNotSameAs(bytes);
      assertThat(other.bytes().alignmentOffset(0, BLOCK)).isZero();
      assertThat(other.bytes().capacity()).isGreaterThanOrEqualTo(CopyBuffer.BYTES);
    }
  }

  @Test
  void aThreadKeepsNoMoreThanACopyNeeds() {
    final CopyBuffer first = CopyBuffer.take(1);
    final CopyBuffer second = CopyBuffer.take(1);
    final ByteBuffer bytes = first.bytes();
    final ByteBuffer last = second.bytes();
    first.close();
    second.close();
    try (CopyBuffer kept = CopyBuffer.take(1);
        CopyBuffer made = CopyBuffer.take(1)) {
      assertThat(kept.bytes()).isSameAs(last);
      assertThat(made.bytes()).isNotSameAs(bytes);
    }
  }

  @Test
  void whoNeedsBlocksGetsMemoryThatIsAlignedToThem() {
    final int block = 1 << 18;
    CopyBuffer.take(1).close();
    try (CopyBuffer aligned = CopyBuffer.take(block)) {
      assertThat(aligned.bytes().alignmentOffset(0, block)).isZero();
    }
  }

  @Test
  void manyCopiesOfOneThreadTakeTheMemoryOfOne() throws IOException {
    final Path source = Files.write(root.resolve("source"), new byte[10_000]);
    copy(source, 0);
    final long before = direct().getMemoryUsed();
    for (int i = 1; i <= 16; i++) {
      copy(source, i);
    }
    assertThat(direct().getMemoryUsed() - before).isLessThan(8L * CopyBuffer.BYTES);
  }

  private void copy(final Path source, final int number) throws IOException {
    final Path target = root.resolve("target" + number);
    try (SegmentCopy copy =
        new SegmentCopy(source, target, true, new CopySteps(() -> 0), bytes -> {})) {
      copy.copyRest(10_000);
    }
    assertThat(target).hasSameBinaryContentAs(source);
  }

  private static BufferPoolMXBean direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .findFirst()
        .orElseThrow();
  }
}
