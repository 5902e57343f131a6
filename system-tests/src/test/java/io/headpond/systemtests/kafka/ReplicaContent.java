// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The content of one replica's log, read from its segments wherever they lie. Replicas roll their
 * segments at different offsets, so only the batches are compared, in their order.
 *
 * @param bytes of its batches
 * @param end one more than the last offset
 * @param checksum of all batches
 */
record ReplicaContent(long bytes, long end, long checksum) {

  /** Reads a partition directory. Behind the last batch may be space that was grown ahead. */
  static ReplicaContent of(Path partition) throws IOException {
    CRC32C checksum = new CRC32C();
    long bytes = 0;
    long end = 0;
    for (LogDirScan.Entry segment : LogDirScan.segments(partition)) {
      if (!SegmentName.isPlain(segment.name().getFileName().toString())) {
        continue;
      }
      try (FileRecords records = FileRecords.open(segment.name().toFile(), false)) {
        for (RecordBatch batch : records.batches()) {
          batch.ensureValid();
          ByteBuffer buffer = ByteBuffer.allocate(batch.sizeInBytes());
          batch.writeTo(buffer);
          checksum.update(buffer.flip());
          bytes += batch.sizeInBytes();
          end = batch.nextOffset();
        }
      } catch (KafkaException grownAhead) {
        continue;
      }
    }
    return new ReplicaContent(bytes, end, checksum.getValue());
  }
}
