// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.console.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalFiguresTest {

  @Test
  void aResultHasTheFiguresAmongItsOwnKeys() {
    BookKeeperResult result =
        new BookKeeperResult(
            "bookkeeper",
            "4.18.0",
            17,
            true,
            1,
            1,
            0,
            0,
            1,
            2,
            true,
            3,
            new JournalFigures(1, 2, 3, 4, 5, 6, 7, 8, 9));
    List<String> keys = new ArrayList<>();
    Json.tree(result).fieldNames().forEachRemaining(keys::add);
    assertThat(keys)
        .containsExactlyInAnyOrder(
            "engine",
            "bookkeeper_version",
            "java_version",
            "headpond",
            "records_acknowledged",
            "records_verified",
            "records_lost",
            "records_corrupt",
            "restarts",
            "restart_ms",
            "fast_tier_volatile",
            "journal_bytes",
            "produce_seconds",
            "produce_mb_per_s",
            "produce_p50_ms",
            "produce_p99_ms",
            "produce_max_over_restart_ms",
            "disk_produce_seconds",
            "disk_produce_mb_per_s",
            "disk_produce_p50_ms",
            "disk_produce_p99_ms");
  }
}
