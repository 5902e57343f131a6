// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The time from a claim until the engine has listed its logs: a name that is replaced meanwhile may
 * be missing in the list.
 */
class UnloadedLogsTest {
  private static final int SEGMENTS = 4;

  private StoreFixture fixture;
  private Path orders;
  private Path others;
  private TieredStore store;

  @BeforeEach
  void leaveLogsInTheTier() throws IOException {
    fixture = new StoreFixture().mapped(false);
    orders = log("orders-0");
    others = log("others-0");
    fixture.stop();
    fixture.with("headpond.tier.pmem.capacity", "1MiB");
    fixture.with("headpond.tier.pmem.migrate.threshold", "0.1");
    store = new TieredStore(fixture.config());
    store.loads(fixture.home);
    store.claim(fixture.home, false);
  }

  @AfterEach
  void removeThem() throws IOException {
    store.close();
    fixture.close();
  }

  private Path log(final String name) throws IOException {
    final Path partition = fixture.partition(name);
    for (int i = 0; i < SEGMENTS; i++) {
      try (FileChannel channel = fixture.store().open(segment(partition, i), CREATE)) {
        append(channel, bytes(50 << 10, i));
      }
    }
    return partition;
  }

  private static int inTier(final Path partition) {
    int links = 0;
    for (int i = 0; i < SEGMENTS; i++) {
      links += Files.isSymbolicLink(segment(partition, i)) ? 1 : 0;
    }
    return links;
  }

  private void awaitQuiet() throws Exception {
    store.migrator().wake();
    await("nothing is left to move", store.migrator()::quiet);
  }

  @Test
  void nothingMovesBeforeTheEngineHasLoadedItsLogs() throws Exception {
    awaitQuiet();
    try (FileChannel last = store.open(segment(orders, SEGMENTS - 1), CREATE)) {
      append(last, bytes(1 << 10, 1));
      awaitQuiet();
      assertThat(inTier(orders) + inTier(others)).isEqualTo(2 * SEGMENTS);
      store.loaded(fixture.home);
      awaitQuiet();
    }
    assertThat(inTier(orders) + inTier(others)).isLessThan(SEGMENTS);
  }

  /** Of the cluster's metadata on a controller nobody says that they are loaded. */
  @Test
  void aLogThatRollsIsLoaded() throws Exception {
    store.open(segment(orders, SEGMENTS), CREATE).close();
    awaitQuiet();
    assertThat(inTier(orders)).isZero();
    assertThat(inTier(others)).isEqualTo(SEGMENTS);
  }

  @Test
  void aLogThatIsRenamedBeforeItIsLoadedStaysHeld() throws Exception {
    final Path renamed = orders.resolveSibling("orders-0-stray");
    store.move(orders, renamed);
    awaitQuiet();
    assertThat(inTier(renamed)).isEqualTo(SEGMENTS);
    store.loaded(fixture.home);
    awaitQuiet();
    assertThat(inTier(renamed) + inTier(others)).isLessThan(SEGMENTS);
  }
}
