// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.Incident;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is wrong with one log directory keeps no other one from being taken over. */
final class HomesApartTest {
  @AutoClose private StoreFixture fixture;
  private Path second;
  private Path good;
  private Path bad;

  @BeforeEach
  void twoLogDirectoriesWithASegmentEach() throws Exception {
    fixture = new StoreFixture();
    second = Files.createDirectory(fixture.root.resolve("second"));
    fixture.with("headpond.log.dirs", fixture.home + "," + second);
    good = segment(fixture.partition("t-0"), 0);
    bad = segment(Files.createDirectory(second.resolve("u-0")), 0);
    write(good);
    write(bad);
    fixture.stop();
  }

  private void write(final Path name) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(100, 1));
    }
  }

  /** Reading it is an {@link IOException}, also for root. */
  private void makeUnreadable(final Path logDir) throws IOException {
    Files.move(logDir.resolve(".headpond"), fixture.root.resolve(logDir.getFileName() + ".kept"));
    Files.createDirectory(logDir.resolve(".headpond"));
  }

  private void mend(final Path logDir) throws IOException {
    Files.delete(logDir.resolve(".headpond"));
    Files.move(fixture.root.resolve(logDir.getFileName() + ".kept"), logDir.resolve(".headpond"));
  }

  private void theOtherOneWorks(final String reason) throws Exception {
    final List<Path> before = fixture.tierFiles();
    final TieredStore store = fixture.store();
    write(good);
    write(segment(fixture.partition("t-0"), 5));
    assertThat(fixture.tierFiles()).containsAll(before);
    assertThat(store.facts().recovery().orphans()).isZero();
    assertRefused(() -> store.open(bad, CREATE), reason);
    assertRefused(() -> store.open(segment(second.resolve("u-0"), 9), CREATE), reason);
    assertRefused(() -> store.delete(bad), reason);
    assertRefused(() -> store.move(bad, bad.resolveSibling("x")), reason);
    assertRefused(() -> store.move(second.resolve("u-0"), second.resolve("u-1")), reason);
    assertRefused(() -> store.delete(second.resolve("u-0")), reason);
    assertRefused(() -> store.claim(second, false), reason);
    assertThat(store.facts().homes())
        .extracting(StoreFacts.Home::path)
        .containsExactly(fixture.home);
    assertThat(store.facts().refusedHomes()).containsExactly(second);
    assertThat(store.facts().incidents()).containsEntry(Incident.HOME_REFUSED, 1L);
  }

  private static void assertRefused(
      final org.assertj.core.api.ThrowableAssert.ThrowingCallable call, final String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("HP0117")
        .hasMessageContaining(reason);
  }

  @Test
  void aLogDirectoryThatCantBeReadIsRefusedAlone() throws Exception {
    makeUnreadable(second);
    theOtherOneWorks("HP0116 " + second);
    fixture.stop();
    mend(second);
    fixture.store();
    assertThat(Files.readAllBytes(bad)).isEqualTo(bytes(100, 1));
    assertThat(fixture.store().facts().refusedHomes()).isEmpty();
    assertThat(fixture.store().facts().recovery().orphans()).isZero();
  }

  @Test
  void aLogDirectoryWhoseSegmentsAreLostIsRefusedAlone() throws Exception {
    Files.delete(Files.readSymbolicLink(bad));
    theOtherOneWorks("HP0112 " + second);
  }

  @Test
  void aLogDirectoryWhoseIdentityIsDamagedIsRefusedAlone() throws Exception {
    Files.writeString(second.resolve(".headpond"), "format=1\nkind=home\nid=x\n");
    theOtherOneWorks("HP0114 " + second);
  }

  @Test
  void eachLogDirectoryIsTakenOverByItself() throws Exception {
    try (TieredStore store = new TieredStore(fixture.config())) {
      store.claim(fixture.home, false);
      assertThat(store.owner()).isTrue();
      assertThat(store.facts().homes()).hasSize(1);
      assertThat(store.facts().recovery().linksChecked()).isEqualTo(1);
      store.claim(second, false);
      store.claim(second, false);
      assertThat(store.facts().homes()).hasSize(2);
      assertThat(store.facts().recovery().linksChecked()).isEqualTo(2);
      assertThat(store.facts().refusedHomes()).isEmpty();
    }
  }

  @Test
  void aLogDirectoryIsTakenOverByTheFirstOperationThere() throws Exception {
    try (TieredStore store = new TieredStore(fixture.config())) {
      store.claim(fixture.home, false);
      makeUnreadable(second);
      assertRefused(() -> store.open(bad, CREATE), "HP0116 " + second);
      mend(second);
      assertRefused(() -> store.open(bad, CREATE), "HP0116 " + second);
    }
  }

  @Test
  void theOnlyLogDirectoryEndsTheStartWithItsOwnRefusal() throws Exception {
    fixture.with("headpond.log.dirs", second.toString());
    makeUnreadable(second);
    assertThatThrownBy(fixture::store)
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("HP0116 " + second);
    fixture.stop();
    mend(second);
    Files.delete(Files.readSymbolicLink(bad));
    try (TieredStore store = new TieredStore(fixture.config())) {
      assertThatThrownBy(() -> store.claim(second, false))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageStartingWith("HP0112 " + second);
      assertThat(store.owner()).isFalse();
    }
  }

  @Test
  void theLastOfTheRefusedLogDirectoriesEndsTheStart() throws Exception {
    makeUnreadable(fixture.home);
    makeUnreadable(second);
    try (TieredStore store = new TieredStore(fixture.config())) {
      assertRefused(() -> store.claim(fixture.home, false), "HP0116 " + fixture.home);
      assertThatThrownBy(() -> store.claim(second, false))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("HP0116 " + second);
    }
    assertThatThrownBy(fixture::store).isInstanceOf(StoreRefusedException.class);
  }

  @Test
  void aTierThatIsNotThereRefusesAllLogDirectories() throws Exception {
    final Path away = fixture.root.resolve("away");
    makeUnreadable(second);
    fixture.with("headpond.tier.pmem.paths", away.toString());
    try (TieredStore store = new TieredStore(fixture.config())) {
      for (final Path logDir : List.of(fixture.home, second)) {
        assertThatThrownBy(() -> store.claim(logDir, false))
            .isInstanceOf(StoreRefusedException.class)
            .hasMessageContaining("HP0102");
      }
    }
  }

  @Test
  void aTierThatCantBeReadRefusesAllLogDirectories() throws Exception {
    Files.delete(fixture.tier.resolve(".headpond"));
    Files.createDirectory(fixture.tier.resolve(".headpond"));
    try (TieredStore store = new TieredStore(fixture.config())) {
      for (final Path logDir : List.of(fixture.home, second)) {
        assertThatThrownBy(() -> store.claim(logDir, false))
            .isInstanceOf(StoreRefusedException.class)
            .hasMessageContaining("HP0115")
            .hasMessageContaining(fixture.tier.toString());
      }
    }
  }

  @Test
  void aCopyOfALogDirectoryIsSeenBeforeAnythingIsSwept() throws Exception {
    assertThat(
            new ProcessBuilder("cp", "-a", second.toString(), fixture.root + "/copy")
                .start()
                .waitFor())
        .isZero();
    Files.delete(fixture.root.resolve("copy/u-0").resolve(bad.getFileName()));
    fixture.with("headpond.log.dirs", fixture.root.resolve("copy") + "," + second);
    final List<Path> before = fixture.tierFiles();
    try (TieredStore store = new TieredStore(fixture.config())) {
      assertThatThrownBy(() -> store.claim(fixture.root.resolve("copy"), false))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("HP0109");
    }
    assertThat(fixture.tierFiles()).containsExactlyInAnyOrderElementsOf(before);
  }
}
