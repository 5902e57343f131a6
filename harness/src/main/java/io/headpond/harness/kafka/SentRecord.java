// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * A record of a transaction. The producer's own thread writes where it is; the thread that sends
 * reads it after a flush.
 */
final class SentRecord {

  private final long id;
  private final int bytes;
  private volatile RecordMetadata metadata;

  /**
   * @param bytes of its key and its value
   */
  SentRecord(long id, int bytes) {
    this.id = id;
    this.bytes = bytes;
  }

  long id() {
    return id;
  }

  int bytes() {
    return bytes;
  }

  void acknowledged(RecordMetadata where) {
    metadata = where;
  }

  /** Where it is; null if the broker hasn't acknowledged it. */
  RecordMetadata metadata() {
    return metadata;
  }
}
