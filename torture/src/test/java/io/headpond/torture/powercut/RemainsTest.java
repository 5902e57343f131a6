// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemainsTest {

  @Test
  void aFileSystemWithoutRepairsIsWhole() {
    Remains remains = Remains.check("home: recovering journal\nPass 1\nEXIT 0\n");
    assertThat(remains.fileSystem()).isEqualTo(Remains.FileSystem.WHOLE);
    assertThat(remains.with(7, 0).words()).isEqualTo("file system whole");
  }

  @Test
  void totalsThatOnlyAnUnmountWritesAreNoRepairs() {
    Remains remains =
        Remains.check("Free blocks count wrong (98, counted=97).\nFix? yes\n\nEXIT 1\n");
    assertThat(remains.fileSystem()).isEqualTo(Remains.FileSystem.WHOLE);
    assertThat(remains.repairs()).isZero();
  }

  @Test
  void repairsAreCounted() {
    Remains remains =
        Remains.check("Inode 12 is in use.  Clear? yes\n\nFix? yes\nabout yes\nEXIT 1\n");
    assertThat(remains.fileSystem()).isEqualTo(Remains.FileSystem.MENDED);
    assertThat(remains.repairs()).isEqualTo(2);
    assertThat(remains.without("it doesn't start").words())
        .isEqualTo("e2fsck made 2 repairs; Kafka: it doesn't start");
  }

  @Test
  void whatE2fsckGivesUpIsBeyondRepair() {
    Remains remains = Remains.check("Bad magic number in super-block\nEXIT 8\n");
    assertThat(remains.fileSystem()).isEqualTo(Remains.FileSystem.BEYOND_REPAIR);
    assertThat(remains.records()).isZero();
  }
}
