// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.bookkeeper.bookie.SortedLedgerStorage;
import org.apache.bookkeeper.tools.cli.commands.bookie.ConvertToDBStorageCommand;
import org.apache.bookkeeper.tools.cli.commands.bookie.ConvertToDBStorageCommand.CTDBFlags;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What doesn't open says what is wrong and what to do, and changes nothing. */
class RefusalTest {
  @TempDir Path folder;

  private LedgerFixture ledgers;

  @BeforeEach
  void fixture() throws IOException {
    ledgers = new LedgerFixture(folder);
  }

  private void used() throws Exception {
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.store(storage, 1, 1);
    storage.shutdown();
  }

  private void refused(final String... parts) throws Exception {
    final List<String> before = everything();
    assertThatThrownBy(ledgers::tiered)
        .isInstanceOf(StoreRefusedException.class)
        .message()
        .contains(parts);
    assertThat(everything()).isEqualTo(before);
  }

  private List<String> everything() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(Path::toString).sorted().toList();
    }
  }

  /** BookKeeper finds another directory there than the text says. */
  @Test
  void aLedgerDirectoryThatIsAParentBehindALink() throws Exception {
    final Path deep = Files.createDirectories(folder.resolve("disk/deep"));
    final Path link = Files.createSymbolicLink(folder.resolve("link"), deep);
    Files.createDirectories(folder.resolve("disk/ledgers/current"));
    ledgers.conf.setLedgerDirNames(new String[] {link + "/../ledgers"});
    refused("ledgerDirectories", link + "/../ledgers", "write that");
  }

  @Test
  @Tag("HP0826")
  void entryLogsOfBookkeepersDefaultStorage() throws Exception {
    sorted();
    refused(ledgers.home.toString(), "there is none in", "convert-to-db-storage");
    ledgers.vanilla().shutdown(); // the wrong start
    refused(ledgers.home.toString(), "locations is empty", "convert-to-db-storage");
    assertThat(new ConvertToDBStorageCommand().apply(ledgers.conf, new CTDBFlags())).isTrue();
    final TieredDbLedgerStorage storage = ledgers.tiered();
    ledgers.verify(storage);
    storage.shutdown();
  }

  private void sorted() throws Exception {
    final SortedLedgerStorage sorted = ledgers.open(new SortedLedgerStorage());
    ledgers.store(sorted, 1, 1);
    ledgers.store(sorted, 0x12345, 70);
    sorted.shutdown();
  }

  @Test
  void anotherFastDirectoryBeforeTheFormerOneWasDrained() throws Exception {
    used();
    final Path newer = Files.createDirectory(folder.resolve("newer"));
    ledgers.conf.setProperty(LedgerKeys.FAST_DIRECTORIES.name(), newer.toString());
    assertThatThrownBy(ledgers::tiered)
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContainingAll(
            "lead outside the configured tiers", "headpond drain --bookkeeper");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "headpond.ledger.fast.directory | /x | there is no such key",
        "headpond.legder.migrate.threshold | 0 | there is no such key",
        "headpond.ledger.fast.directories | fast | not an absolute path",
        "headpond.ledger.fast.directories | /a,/b | names 2 directories",
        "headpond.ledger.fast.capacity | lots | not a size",
        "headpond.ledger.migrate.threshold | 1.5 | neither a share, 0 to 1, nor -1",
        "headpond.ledger.migrate.bytes.per.second | 10B | at least 1048576 B",
        "dbStorage_directIOEntryLogger | true | goes around the plug-in",
        "entryLogPerLedgerEnabled | true | room for a whole entry log",
      })
  void aWrongKeyOrValue(final String key, final String value, final String reason)
      throws Exception {
    ledgers.conf.setProperty(key, value);
    refused(key, reason);
  }

  @Test
  @Tag("HP0806")
  void aSettingThatIsSetToFalseAgain() throws Exception {
    ledgers.conf.setProperty("entryLogPerLedgerEnabled", "true");
    refused("HP0806");
    ledgers.conf.setProperty("entryLogPerLedgerEnabled", "false");
    used();
  }

  @Test
  void aFastDirectoryInsideALedgerDirectory() throws Exception {
    ledgers.conf.setProperty(LedgerKeys.FAST_DIRECTORIES.name(), ledgers.home + "/fast");
    refused("lies in", "give each its own");
  }

  @Test
  void noFastDirectoryAtAll() throws Exception {
    ledgers.conf.clearProperty(LedgerKeys.FAST_DIRECTORIES.name());
    refused(LedgerKeys.FAST_DIRECTORIES.name(), "names 0 directories");
  }
}
