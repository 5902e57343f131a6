// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryForceTest {
  private static final int THREADS = 4;
  private static final int DIRECTORIES = 2_000;

  @TempDir Path logDir;

  private final DirectoryForce directoryForce = new DirectoryForce();

  @Test
  void aDirectoryDeletedUnderItsForcersIsForcedByItsParent() throws Exception {
    final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int i = 0; i < DIRECTORIES; i++) {
        final PartitionDirectory partition =
            new PartitionDirectory(null, Files.createDirectory(logDir.resolve("t-" + i)));
        final CountDownLatch ready = new CountDownLatch(THREADS);
        final List<Future<Void>> forces = new ArrayList<>();
        for (int j = 0; j < THREADS; j++) {
          forces.add(threads.submit(() -> force(partition, ready)));
        }
        ready.await();
        Files.delete(partition.path());
        for (final Future<Void> force : forces) {
          force.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Void force(final PartitionDirectory partition, final CountDownLatch ready)
      throws IOException {
    ready.countDown();
    partition.force(directoryForce);
    return null;
  }

  @Test
  void aDirectoryThatIsBeingRenamedIsFoundUnderItsNewName() throws IOException {
    // The new name is a link to itself, at which everything fails: that tells that it went there.
    final Path loop = logDir.resolve("t-0-delete");
    Files.createSymbolicLink(loop, loop);
    final PartitionDirectory partition = new PartitionDirectory(null, logDir.resolve("t-0"));
    partition.renaming(loop);
    assertThatThrownBy(() -> partition.force(directoryForce))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("t-0-delete");
  }
}
