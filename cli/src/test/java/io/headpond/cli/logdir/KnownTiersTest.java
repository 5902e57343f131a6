// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that lead to one tier file, while a broker renames them. */
class KnownTiersTest {
  @TempDir Path root;
  private KnownTiers tiers;
  private Path name;
  private Path file;
  private Path renamed;

  @BeforeEach
  void aSegmentInATier() throws IOException {
    LogDirFixture fixture = new LogDirFixture(root);
    fixture.tier("pmem");
    name = fixture.tierSegment("pmem", "t-0", 0, new byte[0]);
    file = Files.readSymbolicLink(name);
    renamed = name.resolveSibling(name.getFileName() + ".deleted");
    tiers = KnownTiers.examined(fixture.logDir, finding -> {});
  }

  @Test
  void aSegmentSeenByBothNamesOfARenameIsOne() throws IOException {
    assertThat(tiers.claim(file, name)).isEmpty();
    Files.move(name, renamed);
    assertThat(tiers.claim(file, renamed)).isEmpty();
  }

  @Test
  void aRenameHidesNoSecondNameThatStays() throws IOException {
    tiers.claim(file, name);
    Files.move(name, renamed);
    tiers.claim(file, renamed);
    Path copied = Files.copy(renamed, name, LinkOption.NOFOLLOW_LINKS);
    assertThat(tiers.claim(file, copied)).contains(renamed);
  }

  @Test
  void aNameThatWentAfterItWasSeenIsNoSecondOne() throws IOException {
    tiers.claim(file, name);
    assertThat(tiers.claim(file, renamed)).isEmpty();
  }
}
