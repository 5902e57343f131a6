// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.BookieSettings.Finding;
import io.headpond.bookkeeper.BookieSettings.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.Test;

/** Each setting that undoes a fast journal is named, with the value it should have. */
class BookieSettingsTest {
  private final Map<String, String> file = new HashMap<>();

  private List<Finding> examine(boolean writesDurable) {
    return BookieSettings.examine(file::get, writesDurable);
  }

  @Test
  void theDefaultsOfBookKeeperAreSlow() {
    assertThat(examine(false))
        .allMatch(each -> each.severity() == Severity.SLOW)
        .extracting(Finding::key)
        .containsExactly(
            "journalMaxGroupWaitMSec",
            "journalFlushWhenQueueEmpty",
            "journalWriteBufferSizeKB",
            "journalRemoveFromPageCache",
            "journalReuseFiles");
  }

  @Test
  void theDefaultsAreThoseOfTheBookKeeperThatIsHere() {
    ServerConfiguration bare = new ServerConfiguration();
    Map<String, Object> theirs = new HashMap<>();
    theirs.put("journalWriteData", bare.getJournalWriteData());
    theirs.put("journalSyncData", bare.getJournalSyncData());
    theirs.put("journalMaxGroupWaitMSec", bare.getJournalMaxGroupWaitMSec());
    theirs.put("journalFlushWhenQueueEmpty", bare.getJournalFlushWhenQueueEmpty());
    theirs.put("journalBufferedWritesThreshold", bare.getJournalBufferedWritesThreshold());
    theirs.put("journalWriteBufferSizeKB", bare.getJournalWriteBufferSizeKB());
    theirs.put("journalBufferedEntriesThreshold", bare.getJournalBufferedEntriesThreshold());
    theirs.put("journalAlignmentSize", bare.getJournalAlignmentSize());
    theirs.put("journalRemoveFromPageCache", bare.getJournalRemovePagesFromCache());
    theirs.put("journalReuseFiles", bare.getJournalReuseFiles());
    assertThat(BookieSettings.EXAMINED)
        .hasSize(theirs.size())
        .allSatisfy(
            key ->
                assertThat(key.standard())
                    .as(key.name())
                    .isEqualTo(String.valueOf(theirs.get(key.name()))));
  }

  @Test
  void whatIsRecommendedHasNoFindings() {
    examine(false).forEach(each -> file.put(each.key(), each.wanted()));
    assertThat(examine(false)).isEmpty();
    examine(true).forEach(each -> file.put(each.key(), each.wanted()));
    assertThat(examine(true)).isEmpty();
    assertThat(file).containsEntry("journalSyncData", "false");
  }

  @Test
  void aWaitIsHarmlessWhenAnEmptyQueueEndsIt() {
    file.put("journalFlushWhenQueueEmpty", "true");
    file.put("journalMaxGroupWaitMSec", "2");
    assertThat(examine(false)).noneMatch(each -> each.key().equals("journalMaxGroupWaitMSec"));
  }

  @Test
  void acknowledgingWhatIsNotForcedIsUnsafeWhereAWriteIsNotDurable() {
    file.put("journalSyncData", "false");
    assertThat(examine(false).get(0))
        .satisfies(
            first -> {
              assertThat(first.severity()).isEqualTo(Severity.UNSAFE);
              assertThat(first.key()).isEqualTo("journalSyncData");
              assertThat(first.wanted()).isEqualTo("true");
            });
    assertThat(examine(true)).noneMatch(each -> each.key().equals("journalSyncData"));
  }

  @Test
  void noJournalAtAllIsUnsafe() {
    file.put("journalWriteData", "false");
    assertThat(examine(true).get(0).key()).isEqualTo("journalWriteData");
  }

  @Test
  void thresholdsThatCutGroupsSmallAreNamed() {
    file.put("journalBufferedWritesThreshold", "4096");
    file.put("journalBufferedEntriesThreshold", "10");
    file.put("journalAlignmentSize", "4096");
    assertThat(examine(false))
        .extracting(Finding::key)
        .contains(
            "journalBufferedWritesThreshold",
            "journalBufferedEntriesThreshold",
            "journalAlignmentSize");
  }
}
