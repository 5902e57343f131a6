// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What lies in a ledger directory and its fast directory besides BookKeeper's own files, cut at
 * each length and with a bit of each byte changed in turn: the start is refused in words and
 * changes nothing, or every entry log is there, byte for byte.
 */
class DamagedPlacesTest {
  private static final int LOGS = 3;

  @TempDir Path folder;
  private LedgerFixture ledgers;

  /** By name at home. */
  private final Map<Path, byte[]> logs = new TreeMap<>();

  /** What was there before the damage. */
  private Map<Path, byte[]> files;

  enum Kind {
    LEDGER_IDENTITY,
    FAST_IDENTITY,
    LEDGER_IDENTITY_IN_THE_MAKING,
    FAST_IDENTITY_IN_THE_MAKING,
    UNFINISHED_COPY,
    QUARANTINED_LOG;

    boolean isIdentity() {
      return this == LEDGER_IDENTITY || this == FAST_IDENTITY;
    }

    Path file(LedgerFixture ledgers) {
      return switch (this) {
        case LEDGER_IDENTITY -> ledgers.home.resolve(".headpond");
        case FAST_IDENTITY -> ledgers.fast.resolve(".headpond");
        case LEDGER_IDENTITY_IN_THE_MAKING -> ledgers.home.resolve(".headpond.tmp");
        case FAST_IDENTITY_IN_THE_MAKING -> ledgers.fast.resolve(".headpond.tmp");
        case UNFINISHED_COPY -> ledgers.home.resolve("headpond-0123456789abcdef.move");
        case QUARANTINED_LOG -> ledgers.fast.resolve("quarantine/x/1.0.log");
      };
    }
  }

  @BeforeEach
  void logsInBothPlaces() throws Exception {
    ledgers = new LedgerFixture(folder);
    EntryLogPlaces places = open();
    for (int id = 0; id < LOGS; id++) {
      byte[] content = ("entry log " + id).repeat(20 + id).getBytes();
      Files.write(id == 0 ? places.name(id) : places.fastFile(id), content);
      if (id > 0) {
        places.link(id);
      }
      logs.put(places.name(id), content);
    }
    places.forceNames();
    files = everything();
  }

  private EntryLogPlaces open() throws IOException {
    EntryLogPlaces places = EntryLogPlaces.open(ledgers.home, ledgers.fast);
    places.recover(System.currentTimeMillis());
    return places;
  }

  /** Files and links, with their bytes or where they lead. */
  private Map<Path, byte[]> everything() throws IOException {
    Map<Path, byte[]> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.toList()) {
        if (Files.isSymbolicLink(path)) {
          found.put(path, Files.readSymbolicLink(path).toString().getBytes());
        } else if (Files.isRegularFile(path)) {
          found.put(path, Files.readAllBytes(path));
        }
      }
    }
    return found;
  }

  private void same(Map<Path, byte[]> before) throws IOException {
    Map<Path, byte[]> now = everything();
    assertThat(now.keySet()).isEqualTo(before.keySet());
    before.forEach((path, bytes) -> assertThat(now.get(path)).as("%s", path).isEqualTo(bytes));
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedOrRepairedHoweverItIsDamaged(Kind kind) throws Exception {
    Path file = kind.file(ledgers);
    byte[] whole = kind.isIdentity() ? files.get(file) : "of no use".repeat(12).getBytes();
    assertThat(whole).isNotEmpty();
    int damages = 0;
    int refused = 0;
    int step = kind.isIdentity() ? 1 : 7; // of the others nothing is needed
    for (int at = 0; at < whole.length; at += step) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 << at % Byte.SIZE);
      for (byte[] damaged : new byte[][] {Arrays.copyOf(whole, at), changed}) {
        Files.createDirectories(file.getParent());
        Files.write(file, damaged);
        refused += starts() ? 0 : 1;
        damages++;
        restore();
      }
    }
    System.out.printf("%s: %d damages, %d starts refused%n", kind, damages, refused);
    assertThat(refused > 0).as("refused").isEqualTo(kind.isIdentity());
  }

  private boolean starts() throws IOException {
    Map<Path, byte[]> before = everything();
    try {
      open();
    } catch (StoreRefusedException e) {
      assertThat(e).hasMessageMatching("(?s)HP0[18]\\d\\d .*").hasMessageContaining("/");
      same(before);
      return false;
    }
    for (Map.Entry<Path, byte[]> log : logs.entrySet()) {
      assertThat(Files.readAllBytes(log.getKey())).as("%s", log.getKey()).isEqualTo(log.getValue());
    }
    return true;
  }

  private void restore() throws IOException {
    for (Path path : everything().keySet()) {
      if (!files.containsKey(path)) {
        Files.delete(path);
      }
    }
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      if (!Files.isSymbolicLink(file.getKey())) {
        Files.write(file.getKey(), file.getValue());
      }
    }
  }

  /** Each byte of where a log's link leads, changed, and cut after it. */
  @Test
  void aLinkThatWasChangedIsRefusedAndNamed() throws Exception {
    Path link = ledgers.home.resolve("current/1.log");
    String target = Files.readSymbolicLink(link).toString();
    for (int at = 1; at < target.length(); at++) {
      char other = target.charAt(at) == 'x' ? 'y' : 'x';
      for (String damaged :
          new String[] {
            target.substring(0, at), target.substring(0, at) + other + target.substring(at + 1)
          }) {
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of(damaged));
        Map<Path, byte[]> before = everything();
        assertThatThrownBy(this::open)
            .as(damaged)
            .isInstanceOf(StoreRefusedException.class)
            .hasMessageContaining(link.toString());
        same(before);
      }
    }
  }

  @Test
  void aLogThatIsADirectoryOrALoopIsRefusedAndNamed() throws Exception {
    Path file = Files.readSymbolicLink(ledgers.home.resolve("current/1.log"));
    Files.delete(file);
    Files.createDirectory(file);
    assertThatThrownBy(this::open).hasMessageContaining(file.toString());
    Files.delete(file);
    Files.createSymbolicLink(file, ledgers.home.resolve("current/1.log"));
    assertThatThrownBy(this::open).hasMessageContaining(file.toString());
    assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }
}
