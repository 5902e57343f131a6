// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.DueTimes;
import io.headpond.harness.load.SendingOrder;
import java.util.concurrent.Semaphore;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Sends what is due, in a thread of its own, whatever the broker does: a message's latency counts
 * from the moment it was due, so a stall counts for all the messages that it holds up.
 */
final class PacedProducer {

  private final TopicProducers all;
  private final Producer<byte[]> producer;
  private final byte[][] messages;
  private final SendingOrder order;
  private final DueTimes dueTimes;
  private final int index;
  private final long start;
  private final Semaphore window;
  private final Thread thread;

  /**
   * Sends nothing yet.
   *
   * @param messages are sent again and again
   * @param index among the producers, which take turns
   * @param start when the load began, by {@link System#nanoTime}
   */
  PacedProducer(
      TopicProducers all,
      Producer<byte[]> producer,
      byte[][] messages,
      SendingOrder order,
      int index,
      long start) {
    this.all = all;
    this.producer = producer;
    this.messages = messages;
    this.order = order;
    this.dueTimes = order.pace().dueTimes(index, order.senders());
    this.index = index;
    this.start = start;
    this.window = new Semaphore(order.window());
    this.thread = new Thread(this::run, "producer-" + index);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      for (long number = index; ; number += order.senders()) {
        long due = order.pace().fullSpeed() ? 0 : start + dueTimes.nextNanos();
        if (!await(due)) {
          return;
        }
        window.acquire();
        send(messages[(int) (number % messages.length)], due);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean await(long due) {
    return order.pace().fullSpeed() ? all.sending() : DueTimes.await(due, all::sending);
  }

  private void send(byte[] message, long due) {
    long from = order.pace().fullSpeed() ? System.nanoTime() : due;
    producer
        .sendAsync(message)
        .whenComplete(
            (id, error) -> {
              if (error == null) {
                all.acknowledged(message.length, System.nanoTime() - from);
              } else {
                all.failed(error);
              }
              window.release();
            });
  }

  /** Waits until what was sent is answered; it must have been told to send no more. */
  void close() throws PulsarClientException, InterruptedException {
    thread.join();
    window.acquire(order.window());
    producer.close();
  }
}
