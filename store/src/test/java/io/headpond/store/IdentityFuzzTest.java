// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.Identity;
import io.headpond.store.layout.TierIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Whatever an identity file holds, it is understood or refused by name. */
@Tag("fuzz")
final class IdentityFuzzTest {
  @FuzzTest(maxDuration = "30s")
  void anyBytesAreReadOrRefusedByName(final byte @NotNull [] bytes) throws IOException {
    final Path directory = Files.createTempDirectory("headpond-fuzz");
    final Path file = directory.resolve(Identity.FILE_NAME);
    try {
      Files.write(file, bytes);
      read(() -> TierIdentity.read(directory), file);
      read(() -> HomeIdentity.read(directory).map(HomeIdentity::tiers), file);
    } finally {
      Files.delete(file);
      Files.delete(directory);
    }
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private static void read(final Reading reading, final Path file) throws IOException {
    try {
      reading.read();
    } catch (final StoreRefusedException e) {
      assertThat(e).hasMessageContaining(file.toString());
    }
  }
}
