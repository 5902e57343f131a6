// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentBatchesTest {
  /** As a broker does it beside the command. */
  @Test
  void whatIsAppendedMeanwhileIsNeitherReadNorCut(@TempDir Path folder) throws IOException {
    byte[] first = batches(0, 3);
    byte[] more = batches(30, 2);
    Path file = Files.write(folder.resolve("00000000000000000000.log"), first);
    long end = 0;
    try (SegmentBatches segment = new SegmentBatches(file)) {
      Files.write(file, more, StandardOpenOption.APPEND);
      assertThat(segment.bytes()).isEqualTo(first.length);
      for (RecordBatch batch : segment.all()) {
        end = batch.nextOffset();
      }
    }
    assertThat(end).isEqualTo(30);
    assertThat(file).hasSize(first.length + more.length);
  }
}
