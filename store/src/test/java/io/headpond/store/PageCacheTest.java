// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.Internals;
import java.nio.file.FileSystems;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageCacheTest {
  @ParameterizedTest
  @CsvSource({
    "100, 101, true, false",
    "100, 100, true, false",
    "100, 99, true, true",
    "100, -1, true, true",
    "100, 101, false, true",
  })
  void onlyWhatIsReadUsesAPageCacheThatTheTiersFitInto(
      final long tiers, final long cache, final boolean readBehind, final boolean passedBy) {
    assertThat(new PageCache(Optional.empty(), tiers, () -> cache).passedBy(readBehind))
        .isEqualTo(passedBy);
  }

  @Test
  void theKernelTellsWhatThePageCacheMayHold() {
    final long bytes = PageCache.bytes(FileSystems.getDefault(), 0);
    assertThat(bytes).isPositive();
    assertThat(PageCache.bytes(FileSystems.getDefault(), 1L << 20)).isLessThanOrEqualTo(bytes * 2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSegmentIsTheSameWhicheverWayItGoesHome(final boolean cached) throws Exception {
    try (StoreFixture fixture =
        new StoreFixture().with(Internals.PREFIX + "caches.copies", String.valueOf(cached))) {
      final byte[] bytes = StoreFixture.bytes(3_000_001, 1);
      final var name = StoreFixture.segment(fixture.partition("orders-0"), 0);
      try (var channel = fixture.store().open(name, StoreFixture.CREATE)) {
        StoreFixture.append(channel, bytes);
        assertThat(fixture.store().migration(copied -> {}).move(name, null, true))
            .isEqualTo(SegmentMigration.Outcome.MOVED);
        StoreFixture.append(channel, bytes);
      }
      final byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
      System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
      assertThat(name).isRegularFile().hasBinaryContent(twice);
    }
  }
}
