// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders in memory where there is any. */
final class InMemory implements TempDirFactory {
  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isDirectory(memory)
        ? Files.createTempDirectory(memory, "headpond-journal-test-")
        : Files.createTempDirectory("headpond-journal-test-");
  }
}
