// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.claim.TierLocks;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.Identity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each file that Headpond itself writes, cut at each length and with each byte changed in turn: a
 * start is refused in words and changes nothing, or everything is there that was there before.
 */
final class DamagedStartTest {
  private static final int SEGMENTS = 3;

  @AutoClose private StoreFixture fixture;

  /** What was there before the damage. */
  private Map<Path, byte[]> files;

  private final List<Path> names = new ArrayList<>();

  /** Kinds of files; see docs/on-disk-format.md. */
  enum Kind {
    HOME_IDENTITY,
    TIER_IDENTITY,
    LOCK,
    LIVE_COUNTERS,
    IDENTITY_IN_THE_MAKING,
    UNFINISHED_MOVE_IN_A_TIER,
    UNFINISHED_MOVE_AT_HOME,
    POOLED_FILE;

    Path file(final StoreFixture fixture, final Path tierFile) {
      return switch (this) {
        case HOME_IDENTITY -> fixture.home.resolve(Identity.FILE_NAME);
        case TIER_IDENTITY -> fixture.tier.resolve(Identity.FILE_NAME);
        case LOCK -> fixture.tier.resolve(TierLocks.FILE_NAME);
        case LIVE_COUNTERS -> fixture.tier.resolve(LiveCounters.FILE_NAME);
        case IDENTITY_IN_THE_MAKING -> fixture.home.resolve(Identity.FILE_NAME + ".tmp");
        case UNFINISHED_MOVE_IN_A_TIER -> tierFile.resolveSibling("headpond-0123456789abcdef.move");
        case UNFINISHED_MOVE_AT_HOME -> fixture.home.resolve("headpond-0123456789abcdef.move");
        case POOLED_FILE -> fixture.tier.resolve("pool/0123456789abcdef0123456789abcdef");
      };
    }

    boolean isIdentity() {
      return this == HOME_IDENTITY || this == TIER_IDENTITY;
    }

    /** Is it there after a clean stop? */
    boolean stays() {
      return ordinal() <= LIVE_COUNTERS.ordinal();
    }
  }

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
    for (int i = 0; i < SEGMENTS; i++) {
      final Path name = segment(fixture.partition("t-" + i), i);
      try (FileChannel channel = fixture.store().open(name, CREATE)) {
        append(channel, content(i));
      }
      names.add(name);
    }
    fixture.stop();
    files = read();
  }

  private static byte[] content(final int segment) {
    return bytes(1_000, segment);
  }

  private Map<Path, byte[]> read() throws IOException {
    final Map<Path, byte[]> found = new TreeMap<>();
    for (final Path root : List.of(fixture.home, fixture.tier)) {
      try (Stream<Path> paths = Files.walk(root)) {
        for (final Path path : paths.toList()) {
          if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            found.put(path, Files.readAllBytes(path));
          }
        }
      }
    }
    return found;
  }

  private void restore() throws IOException {
    for (final Path path : read().keySet()) {
      if (!files.containsKey(path)) {
        Files.delete(path);
      }
    }
    for (final Map.Entry<Path, byte[]> file : files.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedOrRepairedHoweverItIsDamaged(final Kind kind) throws Exception {
    final Path file = kind.file(fixture, Files.readSymbolicLink(names.get(0)));
    final byte[] whole = kind.stays() ? files.get(file) : bytes(100, 1);
    assertThat(whole).as("%s", file).isNotEmpty();
    int refused = 0;
    int tried = 0;
    final int step = kind.isIdentity() ? 1 : 7; // of the others nothing is needed
    for (int length = 0; length < whole.length; length += step) {
      refused += start(file, Arrays.copyOf(whole, length)) ? 0 : 1;
      tried++;
    }
    for (int at = 0; kind.stays() && at < whole.length; at += step) {
      final byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << at % Byte.SIZE);
      refused += start(file, damaged) ? 0 : 1;
      tried++;
    }
    System.out.printf("%s: %d damages, %d starts refused%n", kind, tried, refused);
  }

  /** True: it started, with everything there. */
  private boolean start(final Path file, final byte[] damaged) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, damaged);
    final Map<Path, byte[]> before = read();
    final List<String> foreseen = fixture.foreseen();
    try {
      fixture.store();
      assertThat(foreseen).isEmpty();
    } catch (final StoreRefusedException e) {
      assertThat(foreseen).contains(e.getMessage());
      assertThat(e).hasMessageMatching("(?s)HP01\\d\\d .*").hasMessageContaining("/");
      sameBut(before, read());
      fixture.stop();
      restore();
      return false;
    }
    for (int i = 0; i < SEGMENTS; i++) {
      try (FileChannel channel = fixture.store().open(names.get(i), CREATE)) {
        assertThat(channel.size()).isEqualTo(content(i).length);
      }
      assertThat(Files.readAllBytes(names.get(i))).isEqualTo(content(i));
    }
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
    fixture.stop();
    restore();
    return true;
  }

  /** The lock file's text is the owner's. */
  private static void sameBut(final Map<Path, byte[]> before, final Map<Path, byte[]> after) {
    final Map<Path, byte[]> expected = new TreeMap<>(before);
    final Map<Path, byte[]> found = new TreeMap<>(after);
    expected.keySet().removeIf(path -> path.endsWith(TierLocks.FILE_NAME));
    found.keySet().removeIf(path -> path.endsWith(TierLocks.FILE_NAME));
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach((path, bytes) -> assertThat(found.get(path)).as("%s", path).isEqualTo(bytes));
  }
}
