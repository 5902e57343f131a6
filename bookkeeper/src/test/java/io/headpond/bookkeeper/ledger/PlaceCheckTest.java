// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.bookkeeper.bookie.IndexPersistenceMgr;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The check of a ledger's two places says what their opening says, and changes nothing. */
class PlaceCheckTest {
  private static final String OPENS = "";

  @TempDir Path folder;
  private Path ledgers;
  private Path fast;

  /** What spoils the places of a ledger directory with one entry log on the fast device. */
  interface Spoil {
    void in(PlaceCheckTest test) throws IOException;
  }

  record State(String name, String code, Spoil spoil) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<State> states() {
    return Stream.of(
        new State("as they were left", OPENS, test -> {}),
        new State("the fast directory is missing", "HP0102", test -> test.away()),
        new State("an empty mount point", "HP0802", test -> Files.createDirectory(test.away())),
        new State(
            "another fast directory",
            "HP0802",
            test ->
                Files.writeString(
                    Files.createDirectory(test.away()).resolve(".headpond"),
                    "format=1\nkind=tier\nid=" + UUID.randomUUID() + "\n")),
        new State(
            "somebody else's files",
            "HP0105",
            test -> {
              Files.delete(test.ledgers.resolve(".headpond"));
              Files.createFile(Files.createDirectory(test.away()).resolve("thesis.tex"));
            }),
        new State(
            "a ledger directory without identity",
            "HP0111",
            test -> Files.delete(test.ledgers.resolve(".headpond"))),
        new State("a lost entry log", "HP0112", test -> Files.delete(test.file())),
        new State(
            "no index",
            "HP0826",
            test -> Files.delete(test.ledgers.resolve("current/locations/CURRENT"))),
        new State(
            "another storage's index, and an empty one",
            "HP0826",
            test -> {
              test.homeLog(3, 0x1207);
              test.otherIndex(0x1207);
            }),
        new State(
            "another storage's index of other ledgers, and an empty one",
            OPENS,
            test -> {
              test.homeLog(3, 0x1208);
              test.otherIndex(0x1207);
            }),
        new State(
            "another storage's index, and one with entries",
            OPENS,
            test -> {
              test.homeLog(3, 0x1207);
              test.otherIndex(0x1207);
              Files.write(test.ledgers.resolve("current/locations/000004.log"), new byte[1]);
            }),
        new State(
            "a newer format",
            "HP0113",
            test -> Files.writeString(test.fast.resolve(".headpond"), "format=3\nkind=tier\n")),
        new State(
            "a damaged identity",
            "HP0114",
            test -> Files.writeString(test.ledgers.resolve(".headpond"), "format=1\nkind=x\n")));
  }

  @BeforeEach
  void anEntryLogOnTheFastDevice() throws IOException {
    ledgers = folder.resolve("ledgers");
    fast = Files.createDirectory(folder.resolve("fast"));
    Files.createFile(
        Files.createDirectories(ledgers.resolve("current/locations")).resolve("CURRENT"));
    final EntryLogPlaces places = EntryLogPlaces.open(ledgers, fast);
    Files.write(places.fastFile(0), new byte[10]);
    assertThat(places.link(0)).isTrue();
  }

  private Path file() throws IOException {
    return Files.readSymbolicLink(ledgers.resolve("current/0.log"));
  }

  /** An entry log in the ledger directory, with an entry of each ledger. */
  private void homeLog(final long... ids) throws IOException {
    final ByteBuffer log = ByteBuffer.allocate(2048).position(1024);
    for (final long ledger : ids) {
      log.putInt(20).putLong(ledger).putLong(0).putInt(0);
    }
    Files.write(ledgers.resolve("current/1.log"), log.array());
  }

  /** What SortedLedgerStorage keeps of a ledger. */
  private void otherIndex(final long ledger) throws IOException {
    final Path file = ledgers.resolve("current").resolve(IndexPersistenceMgr.getLedgerName(ledger));
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[1024]);
  }

  /** The fast directory goes elsewhere; its place. */
  private Path away() throws IOException {
    Files.move(fast, folder.resolve("away"));
    return fast;
  }

  private Map<Path, String> everything() throws IOException {
    final Map<Path, String> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (final Path path : paths.toList()) {
        found.put(
            path,
            Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS)
                + (Files.isRegularFile(path) ? Files.readString(path) : ""));
      }
    }
    return found;
  }

  private Optional<Words> opening() throws IOException {
    try {
      PlaceCheck.refuseOtherIndex(ledgers, ledgers.resolve("current"));
      EntryLogPlaces.open(ledgers, fast);
      return Optional.empty();
    } catch (final StoreRefusedException e) {
      return Optional.of(e.words());
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void saysWhatAnOpeningSays(final State state) throws IOException {
    state.spoil().in(this);
    final Map<Path, String> before = everything();
    final Optional<Words> found = PlaceCheck.refusal(ledgers, ledgers, fast, true);
    assertThat(everything()).isEqualTo(before);
    assertThat(found.map(words -> words.code().code()).orElse(OPENS)).isEqualTo(state.code());
    assertThat(found).isEqualTo(opening());
  }
}
