// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactedLogsTest {
  private static final long ID = 77;

  @TempDir Path folder;

  private final FailingBuffers buffers = new FailingBuffers();
  private final List<Boolean> open = new ArrayList<>();

  /** A migration that lists the directory meanwhile takes what isn't open for sealed. */
  @Test
  void aLogIsOpenBeforeItsFileIsThere() throws Exception {
    final LedgerFixture ledgers = new LedgerFixture(folder);
    final TieredDbLedgerStorage storage = ledgers.tiered();
    final TieredDbLedgerStorage.Tiered one = storage.tiered().get(0);
    final ServerConfiguration conf = new ServerConfiguration(ledgers.conf);
    try (CompactedLogs logs =
        new CompactedLogs(conf, one.directories(), one.places(), () -> ID, buffers)) {
      buffers.before(
          () -> {
            if (Files.exists(one.places().name(ID))) {
              open.add(logs.isOpen(ID));
            }
          });
      logs.add(1, LedgerFixture.content(1, 0));
      assertThat(open).isNotEmpty().doesNotContain(false);
      logs.seal();
      assertThat(logs.isOpen(ID)).isFalse();
    }
    storage.shutdown();
  }
}
