// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The length of a segment that grows ahead, as it is seen while it is made, filled and closed. */
class LogicalSizeTest {
  private static final int BYTES = 1_000;
  private static final int SEGMENTS = 4;
  private static final long SEED = 5;

  @ParameterizedTest
  @ValueSource(strings = {"dax", "file"})
  void noCallOfADeviceShowsMoreThanWasWritten(final String kind) throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(true, kind), SEED)) {
      run.start();
      run.disk.createDirectory(run.real("home0/t-0"));
      final Path partition = run.path("home0/t-0");
      final Queue<String> tooLong = new ConcurrentLinkedQueue<>();
      run.disk.schedule(
          (call, path, made) -> {
            for (int i = 0; i < SEGMENTS; i++) {
              final long size = size(run, segment(partition, i), segment(real(run), i));
              if (size > BYTES) {
                tooLong.add(call + " " + path + (made ? " made: " : ": ") + i + " " + size + " B");
              }
            }
          });
      for (int i = 0; i < SEGMENTS; i++) {
        try (FileChannel channel = run.store().open(segment(partition, i), CREATE)) {
          append(channel, bytes(BYTES, i));
        }
      }
      assertThat(tooLong).isEmpty();
    }
  }

  private static Path real(final ModelRun run) {
    return run.real("home0/t-0");
  }

  /** As whoever asks for a file's attributes is told. */
  private static long size(final ModelRun run, final Path name, final Path real) {
    try {
      final long physical = Files.exists(real) ? Files.size(real) : 0;
      return run.store().logicalSize(name).orElse(physical);
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
