// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityTest {
  @TempDir Path directory;

  private Path file() {
    return directory.resolve(".headpond");
  }

  private void write(final String text) throws IOException {
    Files.writeString(file(), text);
  }

  private static final String ID = "0f0e0d0c-0b0a-4988-8776-655443322110";

  @Test
  void theTextIsWhatIsDocumented() throws Exception {
    final TierIdentity made = TierIdentity.create(directory, "pmem");
    assertThat(Files.readAllLines(file()))
        .containsExactly("format=1", "id=" + made.id(), "kind=tier", "tier=pmem");
    assertThat(TierIdentity.read(directory)).contains(made);
    assertThat(directory.resolve(".headpond.tmp")).doesNotExist();
  }

  @Test
  void pathsWithAnyCharacterComeBack() throws Exception {
    final HomeIdentity home = HomeIdentity.create(directory);
    final List<HomeIdentity.TierRef> refs =
        List.of(
            ref("/mnt/p mem/ x"),
            ref("/mnt/back\\slash/tab\there"),
            ref("/mnt/equal=s/#!:"),
            ref("/mnt/line\nfeed"));
    home.writeTiers(refs);
    assertThat(HomeIdentity.read(directory).orElseThrow().tiers())
        .containsExactlyInAnyOrderElementsOf(refs);
  }

  @Test
  void theTimeWhenAHomeJoinedStaysWhateverItsTiersAre() throws Exception {
    HomeIdentity.create(directory, 1_700_000_000_123L).writeTiers(List.of(ref("/mnt/a")));
    HomeIdentity.read(directory).orElseThrow().writeTiers(List.of(ref("/mnt/b")));
    assertThat(HomeIdentity.read(directory).orElseThrow().joinedMs()).hasValue(1_700_000_000_123L);
    assertThat(Files.readAllLines(file())).contains("format=1", "joined.ms=1700000000123");
    write("format=1\nkind=home\nid=" + ID + "\n");
    assertThat(HomeIdentity.read(directory).orElseThrow().joinedMs()).isEmpty();
    write("format=1\nkind=home\nid=" + ID + "\njoined.ms=yesterday\n");
    assertThatThrownBy(() -> HomeIdentity.read(directory))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("joined.ms");
  }

  private HomeIdentity.TierRef ref(final String path) {
    return new HomeIdentity.TierRef("pmem", UUID.randomUUID(), Path.of(path));
  }

  @Test
  void noFileMeansNoIdentity() throws Exception {
    assertThat(TierIdentity.read(directory)).isEmpty();
    assertThat(HomeIdentity.read(directory)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "2"})
  void theFormatsNextToOursAreRead(final String format) throws Exception {
    write("format=" + format + "\nkind=tier\nid=" + ID + "\ntier=pmem\n");
    assertThat(TierIdentity.read(directory))
        .contains(new TierIdentity(UUID.fromString(ID), "pmem"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "-1", "99", "-2147483648"})
  void otherFormatsAreRefusedAndWhatCanReadThemIsSaid(final String format) throws Exception {
    write("format=" + format + "\nkind=tier\nid=" + ID + "\n");
    assertThatThrownBy(() -> TierIdentity.read(directory))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining(file().toString())
        .hasMessageContaining("format " + format)
        .hasMessageContaining("0 to 2");
  }

  @Test
  void keysOfALaterVersionAreKept() throws Exception {
    write("format=2\nkind=home\nid=" + ID + "\nfuture.key=keep me\n");
    final HomeIdentity home = HomeIdentity.read(directory).orElseThrow();
    home.writeTiers(List.of(ref("/mnt/pmem0")));
    assertThat(Files.readAllLines(file())).contains("future.key=keep me", "format=2", "id=" + ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "kind=tier\nid=" + ID,
        "format=one\nkind=tier\nid=" + ID,
        "format=1\nkind=tier",
        "format=1\nkind=tier\nid=nonsense",
        "format=1\nid=" + ID,
        "format=1\nkind=home\nid=" + ID,
        "format=1\nkind=tier\nid=\\u00zz"
      })
  void aDamagedFileIsRefusedByName(final String text) throws Exception {
    write(text);
    assertThatThrownBy(() -> TierIdentity.read(directory))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining(file().toString())
        .hasMessageContaining("damaged");
  }

  @Test
  void aFileThatIsNotTextOrFarTooLongIsRefused() throws Exception {
    Files.write(file(), new byte[] {(byte) 0xff, (byte) 0xfe, (byte) 0xc0});
    assertThatThrownBy(() -> TierIdentity.read(directory))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining(file().toString());
    Files.write(file(), new byte[2 << 20]);
    assertThatThrownBy(() -> TierIdentity.read(directory))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("larger than");
  }

  /** There is no checksum: a flipped digit of an identifier is another identifier, never ours. */
  @Test
  void everyFlippedBitIsRefusedOrNeverTakenForAnotherOfOurKeys() throws Exception {
    final HomeIdentity home = HomeIdentity.create(directory);
    final HomeIdentity.TierRef ref = ref("/mnt/pmem0");
    home.writeTiers(List.of(ref));
    final byte[] good = Files.readAllBytes(file());
    int refused = 0;
    for (int bit = 0; bit < good.length * 8; bit++) {
      final byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file(), bad);
      try {
        final Optional<HomeIdentity> read = HomeIdentity.read(directory);
        final HomeIdentity found = read.orElseThrow();
        final boolean sameTier = found.tiers().equals(List.of(ref));
        final String text = new String(bad, StandardCharsets.UTF_8);
        assertThat(found.id().equals(home.id()) || !text.contains("id=" + home.id()))
            .as("bit %d: %s", bit, text)
            .isTrue();
        assertThat(
                sameTier
                    || !text.contains(ref.id() + " " + ref.path() + "\n")
                    || !text.contains("tier.pmem.0="))
            .as("bit %d: %s", bit, text)
            .isTrue();
      } catch (final StoreRefusedException e) {
        assertThat(e).hasMessageContaining(file().toString());
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(good.length);
  }
}
