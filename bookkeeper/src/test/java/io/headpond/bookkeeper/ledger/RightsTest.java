// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.bookkeeper.BookieCodes;
import io.headpond.store.event.StoreRefusedException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a start as root has left ends the next one, with its name and the remedy. */
class RightsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "access, ledgers/current",
    "open, ledgers/.headpond",
    "attributes, fast",
    "open, fast/.headpond",
    "access, fast/segments/[^/]+/current",
  })
  @Tag("HP0710")
  void isNamedByAStartAndByItsCheck(final String call, final String name) throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage before = ledgers.tiered();
    ledgers.store(before, 1, 1);
    before.shutdown();

    final HookedFiles files =
        new HookedFiles(
            folder.getFileSystem(),
            (now, path) -> {
              if (now.equals(call) && path.toString().matches(folder + "/" + name)) {
                throw new AccessDeniedException(path.toString());
              }
            });
    ledgers.devices(files::wrap);
    assertThatThrownBy(ledgers::tiered)
        .isInstanceOf(StoreRefusedException.class)
        .message()
        .contains("HP0710", System.getProperty("user.name"), "chown -R")
        .containsPattern(folder + "/" + name + " can't");
    final Path home = files.wrap(ledgers.home);
    assertThat(PlaceCheck.refusal(home, home, files.wrap(ledgers.fast), true))
        .get()
        .satisfies(words -> assertThat(words.code()).isEqualTo(BookieCodes.NO_RIGHT));

    final TieredDbLedgerStorage after = ledgers.devices(path -> path).tiered();
    ledgers.verify(after);
    after.shutdown();
  }
}
