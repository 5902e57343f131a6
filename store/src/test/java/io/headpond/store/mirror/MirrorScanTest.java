// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.layout.MirrorName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start deletes the mirrors of segments that are gone, and no others. */
class MirrorScanTest {
  private static final String KEY = "0123456789abcdef";

  @TempDir private Path folder;
  private Path logDir;
  private Path tierFile;
  private Path link;
  private Path mirror;

  @BeforeEach
  void makeMirror() throws IOException {
    logDir = Files.createDirectory(folder.resolve("home"));
    tierFile = folder.resolve("t-0.00000000000000000000.log." + KEY);
    link = Files.createDirectory(logDir.resolve("t-0")).resolve("00000000000000000000.log");
    mirror = Files.createFile(MirrorName.lagging(logDir, KEY));
  }

  private void scan() throws IOException {
    new MirrorScan(logDir, (file, bytes) -> true, key -> false).run();
  }

  @Test
  void aMirrorThatNoLinkNeedsIsDeleted() throws IOException {
    Files.createFile(tierFile);
    scan();
    assertThat(mirror).doesNotExist();
  }

  @Test
  void aMirrorOfASegmentStays() throws IOException {
    Files.createSymbolicLink(link, Files.createFile(tierFile));
    scan();
    assertThat(mirror).exists();
  }

  @Test
  void aMirrorOfASegmentWhoseTierIsLostStays() throws IOException {
    Files.createSymbolicLink(link, tierFile);
    scan();
    assertThat(mirror).exists();
  }

  @Test
  void aMirrorOfASegmentThatIsBeingDeletedIsDeleted() throws IOException {
    Files.createSymbolicLink(link.resolveSibling(link.getFileName() + ".deleted"), tierFile);
    scan();
    assertThat(mirror).doesNotExist();
  }
}
