// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.DueTimes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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

  private final Sending sending;
  private final Producer<byte[], byte[]> producer;
  private final DueTimes dueTimes;
  private final long start;
  private final int index;

  /** Messages that may be sent before one is answered; null: as many as the producer holds. */
  private final Semaphore window;

  /**
   * @param start when the load begins, by {@link System#nanoTime}
   * @param index among all senders of the load, from 0 on
   */
  Sender(Sending sending, Producer<byte[], byte[]> producer, long start, int index) {
    this.sending = sending;
    this.producer = producer;
    this.dueTimes = sending.plan().pace().dueTimes(index, sending.plan().all());
    this.start = start;
    this.index = index;
    this.window = sending.plan().window() > 0 ? new Semaphore(sending.plan().window()) : null;
  }

  @Override
  public void run() {
    boolean fullSpeed = sending.plan().pace().fullSpeed();
    try (producer) {
      if (!DueTimes.await(start, sending::going)) {
        return;
      }
      sending.began(System.nanoTime() - start);
      for (long number = index; ; number += sending.plan().all()) {
        if (window != null && !room()) {
          break;
        }
        long due = fullSpeed ? System.nanoTime() : start + dueTimes.nextNanos();
        if (!DueTimes.await(due, sending::going) || !sending.room(sending.ring().bytes(number))) {
          break;
        }
        if (!fullSpeed) {
          sending.sends(System.nanoTime() - due);
        }
        send(number, due);
      }
    } catch (KafkaException e) {
      sending.failed(e);
    }
  }

  /** Waits for an answer while the window is full; false if nothing more is to be sent. */
  private boolean room() {
    try {
      while (sending.going()) {
        if (window.tryAcquire(100, TimeUnit.MILLISECONDS)) {
          return true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void send(long number, long due) {
    int bytes = sending.ring().bytes(number);
    producer.send(
        new ProducerRecord<>(
            sending.topic(number),
            null,
            sending.ring().key(number),
            sending.ring().value(number),
            sending.plan().dueInHeader() ? headers(due) : null),
        (metadata, error) -> {
          if (window != null) {
            window.release();
          }
          if (error != null) {
            sending.failed(error);
          } else {
            sending.acknowledged(bytes, System.nanoTime() - due);
          }
        });
  }

  private static Iterable<Header> headers(long due) {
    return List.of(new RecordHeader(DUE, ByteBuffer.allocate(Long.BYTES).putLong(due).array()));
  }
}
