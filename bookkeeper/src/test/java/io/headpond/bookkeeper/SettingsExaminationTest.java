// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.bookkeeper.SettingsExamination.Finding;
import io.headpond.bookkeeper.SettingsExamination.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each setting that undoes a fast journal is named, with the value it should have. */
class SettingsExaminationTest {
  private final Map<String, String> file = new HashMap<>();

  private static final JournalDevices DISK = new JournalDevices(false, true, 512);
  private static final JournalDevices MEMORY = new JournalDevices(false, false, 512);
  private static final JournalDevices DAX = new JournalDevices(true, false, 512);

  private List<Finding> examine(JournalDevices devices) {
    return SettingsExamination.examine(file::get, devices);
  }

  @Test
  void theDefaultsOfBookKeeperAreSlow() {
    assertThat(examine(MEMORY))
        .allMatch(each -> each.severity() == Severity.SLOW)
        .extracting(Finding::key)
        .containsExactly(
            "journalMaxGroupWaitMSec",
            "journalFlushWhenQueueEmpty",
            "journalWriteBufferSizeKB",
            "journalRemoveFromPageCache",
            "journalReuseFiles");
  }

  /** As BookKeeper does. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "t", "yes", "Y", "on"})
  void everyWordForTrueIsUnderstood(String word) {
    ServerConfiguration bookie = new ServerConfiguration();
    bookie.setProperty("journalSyncData", word);
    assertThat(bookie.getJournalSyncData()).isTrue();
    file.put("journalSyncData", word);
    file.put("journalWriteData", word);
    assertThat(BookieSettings.syncsData(file::get)).isTrue();
    assertThat(examine(DISK)).noneMatch(each -> each.severity() == Severity.UNSAFE);
  }

  /** Zeroing old files doubles what is written, and the start scripts open java.io. */
  @Test
  void onADiskFilesAreNewAndLeaveThePageCache() {
    assertThat(examine(DISK))
        .extracting(Finding::key)
        .containsExactly(
            "journalMaxGroupWaitMSec", "journalFlushWhenQueueEmpty", "journalWriteBufferSizeKB");
    file.put("journalReuseFiles", "true");
    file.put("journalRemoveFromPageCache", "false");
    assertThat(examine(DISK))
        .extracting(each -> each.key() + "=" + each.wanted())
        .contains("journalReuseFiles=false", "journalRemoveFromPageCache=true");
    assertThat(examine(MEMORY))
        .extracting(Finding::key)
        .doesNotContain("journalReuseFiles", "journalRemoveFromPageCache");
  }

  @Test
  void oneDiskAmongTheDevicesCounts() {
    assertThat(DAX.and(DISK)).isEqualTo(DISK);
    assertThat(DAX.and(MEMORY)).isEqualTo(MEMORY);
  }

  /** A group ends past the threshold, so a buffer of that size is always too short for it. */
  @Test
  void aWriteBufferTakesAGroupThatIsPastItsThreshold() {
    file.put("journalWriteBufferSizeKB", "512");
    assertThat(examine(DISK))
        .filteredOn(each -> each.key().equals("journalWriteBufferSizeKB"))
        .extracting(Finding::wanted)
        .containsExactly("1024");
    file.put("journalWriteBufferSizeKB", "1024");
    assertThat(examine(DISK)).noneMatch(each -> each.key().equals("journalWriteBufferSizeKB"));
    file.put("journalBufferedWritesThreshold", "1048576");
    assertThat(examine(DISK))
        .filteredOn(each -> each.key().equals("journalWriteBufferSizeKB"))
        .extracting(Finding::wanted)
        .containsExactly("2048");
  }

  /** Not knowing the block, nothing is said. */
  @Test
  void groupsArePaddedToTheDisksPhysicalBlock() {
    JournalDevices blocks = new JournalDevices(false, true, 4096);
    JournalDevices unknown = new JournalDevices(false, true, 0);
    for (String each : List.of("512", "4096", "8192")) {
      file.put("journalAlignmentSize", each);
      assertThat(alignment(unknown)).isEmpty();
      assertThat(alignment(blocks.and(unknown))).isEmpty();
    }
    file.put("journalAlignmentSize", "512");
    assertThat(alignment(blocks)).containsExactly("4096");
    assertThat(alignment(DISK)).isEmpty();
    assertThat(alignment(DAX.and(blocks))).containsExactly("4096");
    file.put("journalAlignmentSize", "4096");
    assertThat(alignment(blocks)).isEmpty();
    assertThat(alignment(DAX)).containsExactly("512");
    file.put("journalAlignmentSize", "8192");
    assertThat(alignment(blocks)).containsExactly("4096");
  }

  private List<String> alignment(JournalDevices devices) {
    return examine(devices).stream()
        .filter(each -> each.key().equals("journalAlignmentSize"))
        .map(Finding::wanted)
        .toList();
  }

  private List<String> backups() {
    return examine(DAX).stream()
        .filter(each -> each.key().equals("journalMaxBackups"))
        .map(Finding::wanted)
        .toList();
  }

  @Test
  void reuseNeedsMoreFilesThanAreFilledBetweenCheckpoints() {
    file.put("journalMaxBackups", "1");
    assertThat(backups()).as("without reuse").isEmpty();
    file.put("journalReuseFiles", "true");
    file.put("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
    file.put("journalMaxSizeMB", "512");
    assertThat(backups()).containsExactly("3");
    file.put("dbStorage_writeCacheMaxSizeMb", "4096");
    assertThat(backups()).as("2 GiB in files of 512 MiB").containsExactly("9");
    file.put("journalDirectories", "/a,/b");
    assertThat(backups()).as("half of it each").containsExactly("5");
    file.put("journalMaxBackups", "5");
    assertThat(backups()).isEmpty();
    file.put("ledgerStorageClass", "org.apache.bookkeeper.bookie.SortedLedgerStorage");
    file.put("journalMaxBackups", "4");
    assertThat(backups()).as("half of an entry log of 2 GiB").containsExactly("5");
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
    theirs.put("journalMaxSizeMB", bare.getMaxJournalSizeMB());
    theirs.put("journalMaxBackups", bare.getMaxBackupJournals());
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
    for (JournalDevices devices : List.of(DISK, MEMORY, DAX)) {
      file.clear();
      examine(devices).forEach(each -> file.put(each.key(), each.wanted()));
      assertThat(examine(devices)).as("%s", devices).isEmpty();
    }
    assertThat(file).containsEntry("journalSyncData", "false");
  }

  @Test
  void aWaitIsHarmlessWhenAnEmptyQueueEndsIt() {
    file.put("journalFlushWhenQueueEmpty", "true");
    file.put("journalMaxGroupWaitMSec", "2");
    assertThat(examine(DISK)).noneMatch(each -> each.key().equals("journalMaxGroupWaitMSec"));
  }

  @Test
  void acknowledgingWhatIsNotForcedIsUnsafeWhereAWriteIsNotDurable() {
    file.put("journalSyncData", "false");
    assertThat(examine(DISK).get(0))
        .satisfies(
            first -> {
              assertThat(first.severity()).isEqualTo(Severity.UNSAFE);
              assertThat(first.key()).isEqualTo("journalSyncData");
              assertThat(first.wanted()).isEqualTo("true");
            });
    assertThat(examine(DAX)).noneMatch(each -> each.key().equals("journalSyncData"));
  }

  @Test
  void noJournalAtAllIsUnsafe() {
    file.put("journalWriteData", "false");
    assertThat(examine(DAX).get(0).key()).isEqualTo("journalWriteData");
  }

  @Test
  void thresholdsThatCutGroupsSmallAreNamed() {
    file.put("journalBufferedWritesThreshold", "4096");
    file.put("journalBufferedEntriesThreshold", "10");
    file.put("journalAlignmentSize", "4096");
    assertThat(examine(DISK))
        .extracting(Finding::key)
        .contains(
            "journalBufferedWritesThreshold",
            "journalBufferedEntriesThreshold",
            "journalAlignmentSize");
  }
}
