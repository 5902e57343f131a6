// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka refuses to start on a segment of more than 2,147,483,647 bytes. */
@Timeout(120)
class LongestFileTest {
  private static final long BEGIN = Integer.MAX_VALUE - (4L << 20);

  private final Account account = Account.unlimited();

  static List<BackEnds> backEnds() throws IOException {
    return BackEnds.all();
  }

  @ParameterizedTest
  @MethodSource("backEnds")
  void noGrowthPassesTheLongestSegment(BackEnds backEnd) throws IOException {
    try (RunAhead runAhead =
        new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1)) {
      Path path = backEnd.folder().resolve("00000000000000000000.log");
      try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
        sparse.setLength(BEGIN);
      }
      account.reserve(BEGIN);
      try (MappedFile file =
          MappedFile.open(path, BEGIN, backEnd.options(account, runAhead).keepTail(true))) {
        while (file.end() < Integer.MAX_VALUE) {
          append(file, (int) Math.min(30_000, Integer.MAX_VALUE - file.end()));
          assertThat(file.physicalBytes()).isLessThanOrEqualTo(Integer.MAX_VALUE);
        }
        awaitQuiet(file);
        assertThat(path).hasSize(Integer.MAX_VALUE);

        append(file, 30_000); // a journal may be longer
        append(file, 30_000);
        assertThat(file.end()).isEqualTo(Integer.MAX_VALUE + 60_000L);
      }
      assertThat(path).hasSize(account.reserved());
    } finally {
      Folders.delete(backEnd.folder());
    }
  }

  private static void append(MappedFile file, int bytes) throws IOException {
    file.write(ByteBuffer.allocate(bytes), file.end());
    awaitQuiet(file);
  }

  private static void awaitQuiet(MappedFile file) {
    while (!file.quiet()) {
      Thread.onSpinWait();
    }
  }
}
