// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.rig;

import io.headpond.bench.load.DueTimes;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Sends what is due, whatever the broker does: a message's latency counts from the moment it was
 * due, not from when it could be sent, so a stall counts for all the messages it holds up.
 */
final class Sender implements Runnable {

  /** The header that says when a message was due, for those who measure its arrival. */
  static final String DUE = "due";

  private final KafkaLoad load;
  private final Producer<byte[], byte[]> producer;
  private final DueTimes dueTimes;
  private final long start;
  private final int index;

  /**
   * @param start when the load began, by {@link System#nanoTime}
   */
  Sender(
      KafkaLoad load, Producer<byte[], byte[]> producer, DueTimes dueTimes, long start, int index) {
    this.load = load;
    this.producer = producer;
    this.dueTimes = dueTimes;
    this.start = start;
    this.index = index;
  }

  @Override
  public void run() {
    boolean fullSpeed = load.point().pace().fullSpeed();
    try (producer) {
      for (long number = index; ; number += load.point().producers()) {
        long due = fullSpeed ? System.nanoTime() : start + dueTimes.nextNanos();
        if (!DueTimes.await(due, load::sending) || !load.room(load.ring().bytes(number))) {
          break;
        }
        send(number, due);
      }
    } catch (KafkaException e) {
      load.failed(e);
    }
  }

  private void send(long number, long due) {
    int bytes = load.ring().bytes(number);
    producer.send(
        new ProducerRecord<>(
            load.topic(number),
            null,
            load.ring().key(number),
            load.ring().value(number),
            load.point().consumers() > 0 ? headers(due) : null),
        (metadata, error) -> {
          if (error != null) {
            load.failed(error);
          } else {
            load.acknowledged(bytes, System.nanoTime() - due);
          }
        });
  }

  private static Iterable<Header> headers(long due) {
    return List.of(new RecordHeader(DUE, ByteBuffer.allocate(Long.BYTES).putLong(due).array()));
  }
}
