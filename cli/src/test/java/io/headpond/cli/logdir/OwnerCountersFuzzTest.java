// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * A file of live counters that was damaged or half-written must not end the command that shows it.
 */
@Tag("fuzz")
class OwnerCountersFuzzTest {
  @FuzzTest(maxDuration = "30s")
  void anyBytesAreRead(byte @NotNull [] bytes) throws IOException {
    Path directory = Files.createTempDirectory("headpond-fuzz");
    Path file = directory.resolve(OwnerCounters.FILE);
    try {
      Files.write(file, bytes);
      OwnerCounters.newest(List.of(directory))
          .ifPresent(
              counters -> {
                counters.appendedBytes();
                counters.updatedMs();
                counters.share("migration.share");
              });
    } finally {
      Files.delete(file);
      Files.delete(directory);
    }
  }
}
