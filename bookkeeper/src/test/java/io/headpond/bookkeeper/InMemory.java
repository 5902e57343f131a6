// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.config.Internals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders in memory where there is any; mapped, as if it were DAX, if a test says so. */
final class InMemory implements TempDirFactory {
  private static final String MAPS = Internals.PREFIX + "maps.memory";

  /** Are journals in memory mapped from now on? */
  static void mapped(boolean is) {
    if (is) {
      System.setProperty(MAPS, "true");
    } else {
      System.clearProperty(MAPS);
    }
  }

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isDirectory(memory)
        ? Files.createTempDirectory(memory, "headpond-journal-test-")
        : Files.createTempDirectory("headpond-journal-test-");
  }
}
