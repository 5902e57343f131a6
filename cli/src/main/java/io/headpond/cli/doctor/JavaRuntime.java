// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.pmem.Device;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The abilities of this JVM, and of a broker started with the same one. */
final class JavaRuntime {
  private static final int FFM_SINCE = 22;

  private JavaRuntime() {}

  static void diagnose(Diagnosis diagnosis, Path memoryFileSystem) {
    int feature = Runtime.version().feature();
    String version = Runtime.version() + " in " + System.getProperty("java.home");
    if (feature < FFM_SINCE) {
      diagnosis.advice(
          "Java",
          version + ": works; the libpmem back end (the faster one) needs Java " + FFM_SINCE,
          "only if a tier or a journal is on persistent memory: run the engine on Java "
              + FFM_SINCE
              + " or newer");
      return;
    }
    diagnosis.ok("Java", version);
    libpmem(diagnosis, memoryFileSystem);
  }

  private static void libpmem(Diagnosis diagnosis, Path memoryFileSystem) {
    if (!Files.isDirectory(memoryFileSystem)) {
      return;
    }
    try {
      // Memory takes libpmem wherever the library can be called at all, so this asks just for that.
      Device device = Device.detect(memoryFileSystem);
      Optional<String> unavailable = Persist.unavailable(device, PersistBackend.LIBPMEM);
      if (unavailable.isEmpty()) {
        diagnosis.ok(
            "libpmem",
            "callable; an engine needs the JVM option --enable-native-access=ALL-UNNAMED for it");
      } else {
        diagnosis.advice(
            "libpmem",
            unavailable.get(),
            "only if a tier or a journal is on persistent memory: apt-get install libpmem1 (Red Hat: dnf install"
                + " libpmem)");
      }
    } catch (IOException e) {
      diagnosis.advice("libpmem", "couldn't be tried in " + memoryFileSystem + ": " + e, "");
    }
  }
}
