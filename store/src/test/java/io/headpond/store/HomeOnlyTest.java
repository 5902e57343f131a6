// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static io.headpond.store.StoreFixture.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A topic is added to {@code headpond.home.only} while it has segments in a tier. */
final class HomeOnlyTest {
  private static final int BYTES = 300_000;

  @AutoClose private StoreFixture fixture;
  private Path sealed;
  private Path active;

  @BeforeEach
  void twoSegmentsInTheTier() throws Exception {
    fixture = new StoreFixture();
    sealed = segment(fixture.partition("t-0"), 0);
    active = segment(fixture.partition("t-0"), 7);
    write(sealed);
    write(active);
    assertThat(fixture.tierFiles()).hasSize(2);
    fixture.stop();
    fixture.with("headpond.home.only", "__cluster_metadata,t");
  }

  private void write(final Path name) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
  }

  private void awaitNothingInTheTier() throws Exception {
    await("the tier is empty", () -> fixture.tierFiles().isEmpty());
    await("space", () -> usedBytes(fixture.store(), fixture.tier) == 0);
  }

  @Test
  void itsSegmentsGoHomeByThemselves() throws Exception {
    fixture.store();
    awaitNothingInTheTier();
    for (final Path name : new Path[] {sealed, active}) {
      assertThat(name).isRegularFile();
      assertThat(Files.isSymbolicLink(name)).isFalse();
      assertThat(Files.readAllBytes(name)).isEqualTo(bytes(BYTES, 1));
      assertThat(fixture.store().diverts(name)).isFalse();
    }
    assertThat(fixture.store().catalogue().all()).isEmpty();
    fixture.store().delete(sealed);
    assertThat(sealed).doesNotExist();
  }

  @Test
  void whatIsDeletedOrRenamedBeforeLeavesNothingBehind() throws Exception {
    fixture.with("headpond.home.reserve", "99%"); // nothing moves home
    final TieredStore store = fixture.store();
    assertThat(store.diverts(sealed)).isTrue();
    final Path deleted = sealed.resolveSibling(sealed.getFileName() + ".deleted");
    store.move(sealed, deleted);
    assertThat(store.diverts(deleted)).isTrue();
    store.delete(deleted);
    final Path directory = fixture.home.resolve("t-0.0123-delete");
    store.move(fixture.home.resolve("t-0"), directory);
    assertThat(store.diverts(directory.resolve(active.getFileName()))).isTrue();
    store.delete(directory.resolve(active.getFileName()));
    awaitNothingInTheTier();
    assertThat(store.catalogue().all()).isEmpty();
  }

  @Test
  void theActiveOneIsAppendedToOnItsWayAndSealedAtTheRoll() throws Exception {
    final TieredStore store = fixture.store();
    final byte[] more = bytes(1_000, 2);
    final Path next = segment(fixture.home.resolve("t-0"), 9);
    try (FileChannel channel = store.open(active, CREATE)) {
      channel.position(channel.size());
      for (int i = 0; i < 100; i++) {
        append(channel, more);
      }
      assertThat(store.diverts(next)).as("the roll seals its predecessor").isTrue();
      try (FileChannel rolled = store.open(next, CREATE)) {
        append(rolled, more);
        assertThat(Files.size(active)).isEqualTo(BYTES + 100L * more.length);
      }
      awaitNothingInTheTier();
      assertThat(channel.size()).isEqualTo(BYTES + 100L * more.length);
    }
    assertThat(Files.isSymbolicLink(next)).isFalse();
    assertThat(Files.readAllBytes(next)).isEqualTo(more);
    final byte[] all = Files.readAllBytes(active);
    assertThat(all).hasSize(BYTES + 100 * more.length).startsWith(bytes(BYTES, 1)).endsWith(more);
  }

  @Test
  void whatIsCompactedOfItGoesHome() throws Exception {
    fixture.with("headpond.home.reserve", "99%"); // nothing moves home
    final TieredStore store = fixture.store();
    try (FileChannel open = store.open(sealed, CREATE)) {
      final Path cleaned = sealed.resolveSibling(sealed.getFileName() + ".cleaned");
      try (FileChannel channel = store.open(cleaned, CREATE)) {
        append(channel, bytes(10, 3));
      }
      assertThat(Files.isSymbolicLink(cleaned)).isFalse();
      assertThat(cleaned).hasSize(10);
      assertThat(open.size()).isEqualTo(BYTES);
    }
  }

  @Test
  void whatIsAtHomeOfItIsNotDiverted() throws Exception {
    final Path plain = segment(fixture.partition("__cluster_metadata-0"), 0);
    Files.write(plain, new byte[10]);
    assertThat(fixture.store().diverts(plain)).isFalse();
    assertThat(fixture.store().diverts(plain.resolveSibling("00000000000000000005.log"))).isFalse();
  }
}
