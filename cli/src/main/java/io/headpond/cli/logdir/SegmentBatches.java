// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The batches of a segment's file, by Kafka's own reader, for reading alone. The reader's own close
 * forces the file and cuts what was appended since the open: beside a running broker both are
 * wrong, and the latter fails.
 */
final class SegmentBatches implements AutoCloseable {
  private final FileRecords records;

  SegmentBatches(Path file) throws IOException {
    records = FileRecords.open(file.toFile(), false);
  }

  /** The file's length when it was opened. */
  int bytes() {
    return records.sizeInBytes();
  }

  Iterable<? extends RecordBatch> all() {
    return records.batches();
  }

  @Override
  public void close() throws IOException {
    records.closeHandlers();
  }
}
