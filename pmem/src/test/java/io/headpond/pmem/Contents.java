// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks whole files without printing them. */
final class Contents {
  private Contents() {}

  /** The file is {@code size} bytes long, and all of them are {@code value}. */
  static void are(Path file, long size, int value) throws IOException {
    byte[] read = Files.readAllBytes(file);
    assertThat(read.length).isEqualTo(size);
    for (int i = 0; i < read.length; i++) {
      if (read[i] != value) {
        throw new AssertionError("at " + i + " of " + size + ": " + read[i]);
      }
    }
  }
}
