// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bookie's file is read as BookKeeper reads it. */
class BookieSettingsTest {
  private final Map<String, String> file = new HashMap<>();

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "t", "yes", "Y", "on"})
  void everyWordForTrueIsUnderstood(String word) {
    ServerConfiguration bookie = new ServerConfiguration();
    bookie.setProperty("journalSyncData", word);
    assertThat(bookie.getJournalSyncData()).isTrue();
    file.put("journalSyncData", word);
    assertThat(BookieSettings.syncsData(file::get)).isTrue();
  }

  @Test
  void entriesAreSyncedUnlessTheFileSaysOtherwise() {
    assertThat(new ServerConfiguration().getJournalSyncData()).isTrue();
    assertThat(BookieSettings.syncsData(file::get)).isTrue();
    file.put("journalSyncData", " ");
    assertThat(BookieSettings.syncsData(file::get)).isTrue();
    file.put("journalSyncData", "false");
    assertThat(BookieSettings.syncsData(file::get)).isFalse();
  }
}
