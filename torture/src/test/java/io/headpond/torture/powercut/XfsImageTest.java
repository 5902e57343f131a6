// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XfsImageTest {
  private static final int ALIGNMENT = 2 << 20;

  @TempDir Path folder;

  @Test
  void aFileSystemIsFoundBehindWhatDescribesTheDevice() throws Exception {
    Path file = folder.resolve("nvdimm");
    try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
      image.setLength(4L * ALIGNMENT);
      image.seek(2L * ALIGNMENT);
      image.write("XFSB".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(XfsImage.find(file, ALIGNMENT, ALIGNMENT)).hasValue(2L * ALIGNMENT);
    assertThat(XfsImage.at(file, 0)).isFalse();
  }

  @Test
  void aFileWithoutOneHasNone() throws Exception {
    Path file = folder.resolve("nvdimm");
    try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
      image.setLength(ALIGNMENT + 2L);
    }
    assertThat(XfsImage.find(file, 0, ALIGNMENT)).isEmpty();
  }
}
