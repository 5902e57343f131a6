// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.Mount;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakPlaceTest {
  @TempDir Path root;

  @Test
  void filesThatAreKeptAreNamedWithTheWayToRemoveThem() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount");
    SoakPlace place = SoakPlace.create(root, true, 1);
    Path home = place.folders().home();
    place.close();
    Path fast = home.resolve("fast");
    try {
      assertThat(place.keptText())
          .endsWith(
              "kept in " + home + "; to remove them: umount -l " + fast + " && rm -r " + home);
      assertThat(Files.getFileStore(fast).type()).isEqualTo("tmpfs");
      assertThat(place.folders().fast()).as("empty, in memory").doesNotExist();
    } finally {
      Mount.made(fast).close();
    }
  }

  @Test
  void aJournalBesideTheDeviceIsNamedAmongTheKeptFiles() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount");
    SoakPlace place = SoakPlace.create(root, true, 1);
    Path home = place.folders().home();
    Path memory = place.folders().fast();
    try {
      Files.createDirectory(place.folders().tier().resolve("journal"));
      place.close();
      assertThat(place.keptText())
          .contains("kept in " + home + " and " + memory)
          .endsWith("rm -r " + home + " " + memory);
    } finally {
      Mount.made(home.resolve("fast")).close();
      FolderRemoval.remove(memory, true);
    }
  }
}
