// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that a killed process has left in the page cache: the first promise of the next process is
 * one of these, too, whatever kind of call it is made by.
 */
class FoundBytesTest {
  private static final int POWER_CUTS = 40;
  private static final int BYTES_MAX = 20_000;
  private static final int LEFT_BYTES = 3_000;

  /** A call that promises what the file holds when it returns. */
  private enum Promise {
    APPEND {
      @Override
      void make(final EngineSegment segment) throws IOException {
        segment.append(BYTES_MAX);
      }
    },
    LARGE_APPEND {
      @Override
      void make(final EngineSegment segment) throws IOException {
        segment.append(4 << 20);
      }
    },
    OVERWRITE {
      @Override
      void make(final EngineSegment segment) throws IOException {
        segment.overwrite();
      }
    },
    FORCE {
      @Override
      void make(final EngineSegment segment) throws IOException {
        segment.force();
      }
    };

    abstract void make(EngineSegment segment) throws IOException;
  }

  static Stream<Arguments> promises() {
    return Stream.of("file", "growing", "dax")
        .flatMap(
            tier -> Stream.of(Promise.values()).map(promise -> Arguments.of(tier, promise.name())));
  }

  @ParameterizedTest
  @MethodSource("promises")
  void whatAKilledProcessLeftIsPromisedWithTheRest(final String tier, final String promise)
      throws Exception {
    try (ModelRun run = new ModelRun(Setup.of(true, tier), 1)) {
      final ModelScript script = new ModelScript(1);
      final EngineSegment before = write(run, script);
      leaveInPageCache(run, before);
      run.start();
      final EngineLog log = new EngineLog(run, script, "home0/t-0");
      final EngineSegment segment = EngineSegment.reopened(run, script, before.model, before.name);
      log.found(segment);

      Promise.valueOf(promise).make(segment);

      cutPower(run, segment);
      log.close();
    }
  }

  /** A process writes a segment and stops. */
  private static EngineSegment write(final ModelRun run, final ModelScript script)
      throws IOException {
    run.start();
    final EngineLog log = new EngineLog(run, script, "home0/t-0");
    log.roll();
    log.last().append(BYTES_MAX);
    final EngineSegment written = log.last();
    log.close();
    run.stop();
    return written;
  }

  /** Another writes to the middle and to the end, and is killed before a force. */
  private static void leaveInPageCache(final ModelRun run, final EngineSegment segment)
      throws IOException {
    final byte[] left = new byte[LEFT_BYTES];
    Arrays.fill(left, (byte) 7);
    try (FileChannel file =
        FileChannel.open(
            run.path(segment.name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      final long end = file.size();
      file.write(ByteBuffer.wrap(left), end / 2);
      file.write(ByteBuffer.wrap(left), Math.max(end, file.size()));
      final ByteBuffer all = ByteBuffer.allocate((int) file.size());
      while (all.hasRemaining() && file.read(all, all.position()) >= 0) {}
      segment.model.stay(all.array());
    }
  }

  /** All that the file holds was promised: no cut takes any of it. */
  private static void cutPower(final ModelRun run, final EngineSegment segment) {
    final byte[] promised = segment.model.now();
    final Random random = new Random(1);
    for (int i = 0; i < POWER_CUTS; i++) {
      final ModelImage image = run.disk.cut(random);
      final byte[] found =
          image.below(run.real("")).stream()
              .filter(entry -> entry.path().equals(run.real(segment.name)))
              .map(image::read)
              .findFirst()
              .orElseThrow();
      assertThat(Arrays.copyOf(found, promised.length)).as("power cut %d", i).isEqualTo(promised);
    }
  }
}
