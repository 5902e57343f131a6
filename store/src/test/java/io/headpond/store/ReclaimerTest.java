// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.headpond.pmem.Background;
import io.headpond.pmem.MappedFile;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.partition.Reclaimer;
import io.headpond.store.tier.TierDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What is given back leaves the accounts, whatever becomes of its file. */
class ReclaimerTest {
  @Test
  void anErrorAtTheEndLeavesTheFileAndTheAccounts() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final TieredStore store = fixture.store();
      final TierDirectory directory = store.tiers().get(0).get(0);
      final Path file = Files.write(fixture.tier.resolve("a tier file"), new byte[1_000]);
      directory.space.reserve(1_000);
      final Reclaimer reclaimer =
          new Reclaimer(
              new DirectoryForce(),
              store.counters(),
              new Background((name, failures, cause) -> {}),
              TimeSource.SYSTEM);
      reclaimer.start();
      assumeFalse(MappedFile.unmapsAtOnce(), "nobody asks whether it is used");
      final AtomicInteger asked = new AtomicInteger();
      final BooleanSupplier unused =
          () -> {
            if (asked.getAndIncrement() > 0) {
              throw new OutOfMemoryError("of a test");
            }
            return true;
          };
      reclaimer.reclaim(new Reclaimer.Dropped(file, directory, null, unused));
      await("the end", reclaimer::idle);
      assertThat(asked).hasValue(2);
      assertThat(file).exists();
      assertThat(directory.space.segmentBytes()).isEqualTo(1_000);
      reclaimer.close();
      directory.space.release(1_000);
    }
  }

  /** At the end, or when its patience is over: the one who reads or maps it keeps the bytes. */
  @Test
  void aFileThatIsStillUsedIsOnlyDeleted() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final TieredStore store = fixture.store();
      final TierDirectory directory = store.tiers().get(0).get(0);
      final Path file = Files.write(fixture.tier.resolve("a tier file"), new byte[1 << 20]);
      directory.space.reserve(1 << 20);
      final Reclaimer reclaimer =
          new Reclaimer(
              new DirectoryForce(),
              store.counters(),
              new Background((name, failures, cause) -> {}),
              TimeSource.SYSTEM);
      reclaimer.start();
      directory.userMapped(file);
      directory.forceFailed(file);
      reclaimer.reclaim(new Reclaimer.Dropped(file, directory, null, () -> false));
      reclaimer.close();
      assertThat(directory.isUserMapped(file)).as("remembered of a file that is there").isFalse();
      assertThat(directory.distrusts(file)).as("the same").isFalse();
      assertThat(file).doesNotExist();
      assertThat(store.counters().sum(Count.RECLAIMED_FILES)).isEqualTo(1);
    }
  }
}
