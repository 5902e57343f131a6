// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaTimeIndexTest {
  @TempDir private Path partition;

  private long newest(final long... timestamps) throws IOException {
    final ByteBuffer entries = ByteBuffer.allocate(12 * timestamps.length);
    for (final long timestamp : timestamps) {
      entries.putLong(timestamp).putInt(7);
    }
    Files.write(partition.resolve("00000000000000000042.timeindex"), entries.array());
    return KafkaTimeIndex.newestMs(partition.resolve("00000000000000000042.log"));
  }

  @Test
  void theLastEntryIsTheNewest() throws IOException {
    assertThat(newest(1_700_000_000_000L, 1_700_000_000_500L)).isEqualTo(1_700_000_000_500L);
  }

  @Test
  void anIndexThatIsEmptyOrNotThereOrNotTrimmedSaysNothing() throws IOException {
    assertThat(newest()).isZero();
    assertThat(newest(1_700_000_000_000L, 0)).isZero();
    assertThat(KafkaTimeIndex.newestMs(partition.resolve("00000000000000000043.log"))).isZero();
  }
}
