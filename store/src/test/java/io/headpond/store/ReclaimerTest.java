// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Background;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.partition.Reclaimer;
import io.headpond.store.tier.TierDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is given back leaves the accounts, whatever becomes of its file. */
class ReclaimerTest {
  private static final int BYTES = 1 << 20;

  private StoreFixture fixture;
  private TieredStore store;
  private TierDirectory directory;
  private Path file;
  private Reclaimer reclaimer;

  @BeforeEach
  void dropAFile() throws Exception {
    fixture = new StoreFixture();
    store = fixture.store();
    directory = store.tiers().get(0).get(0);
    file = Files.write(fixture.tier.resolve("a tier file"), new byte[BYTES]);
    directory.space.reserve(BYTES);
    reclaimer =
        new Reclaimer(
            new DirectoryForce(),
            store.counters(),
            new Background((name, failures, cause) -> {}),
            TimeSource.SYSTEM);
    reclaimer.start();
  }

  @AfterEach
  void removeDirectories() throws Exception {
    reclaimer.close();
    fixture.close();
  }

  @Test
  void anErrorDelaysTheAccountsOnly() throws Exception {
    final AtomicBoolean failed = new AtomicBoolean();
    final BooleanSupplier unread =
        () -> {
          if (!failed.getAndSet(true)) {
            throw new OutOfMemoryError("of a test");
          }
          return true;
        };
    reclaimer.reclaim(new Reclaimer.Dropped(file, directory, null, unread));
    await("the end", () -> directory.space.usedBytes() == 0);
    assertThat(file).doesNotExist();
  }

  @Test
  void theBytesOfAFileThatIsStillReadAreHeld() throws Exception {
    final AtomicBoolean unread = new AtomicBoolean();
    directory.forceFailed(file);
    reclaimer.reclaim(new Reclaimer.Dropped(file, directory, null, unread::get));
    await("the deletion", reclaimer::idle);
    assertThat(file).doesNotExist();
    assertThat(directory.distrusts(file)).as("remembered of a file that is there").isFalse();
    assertThat(store.counters().sum(Count.RECLAIMED_FILES)).isEqualTo(1);
    assertThat(directory.space.droppedBytes()).isEqualTo(BYTES);
    assertThat(directory.space.usedBytes()).isEqualTo(BYTES);
    assertThat(directory.space.segmentBytes()).as("moves nothing").isZero();
    unread.set(true);
    await("the bytes", () -> directory.space.droppedBytes() == 0);
    assertThat(directory.space.usedBytes()).isZero();
  }
}
