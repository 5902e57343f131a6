// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * One of the consumers of a shared subscription, each message for one of them, acknowledged one by
 * one. What isn't whole isn't acknowledged, and stays in the backlog.
 */
final class QueueConsumer implements AutoCloseable {

  private final Consumer<byte[]> consumer;
  private final Received received;
  private final Errors errors;
  private volatile boolean running = true;

  QueueConsumer(PulsarClient client, String topic, int number, Received received, Errors errors)
      throws PulsarClientException {
    this.received = received;
    this.errors = errors;
    this.consumer = subscribe(client, topic, "queue-" + number);
    Thread thread = new Thread(this::consume, "queue-" + number);
    thread.setDaemon(true);
    thread.start();
  }

  /** Makes the subscription, so that from now on messages wait in it. */
  static void prepare(PulsarClient client, String topic) throws PulsarClientException {
    subscribe(client, topic, "queue").close();
  }

  private static Consumer<byte[]> subscribe(PulsarClient client, String topic, String name)
      throws PulsarClientException {
    return client
        .newConsumer()
        .topic(topic)
        .subscriptionName("queue")
        .consumerName(name)
        .subscriptionType(SubscriptionType.Shared)
        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
        .subscribe();
  }

  private void consume() {
    while (running) {
      try {
        Message<byte[]> message = consumer.receive(100, TimeUnit.MILLISECONDS);
        if (message != null
            && received.take(Received.idOf(message, received.payload())) != Received.Kind.CORRUPT) {
          consumer.acknowledgeAsync(message);
        }
      } catch (PulsarClientException e) {
        if (running) {
          errors.add("queue", e);
        }
        return;
      }
    }
  }

  @Override
  public void close() {
    running = false;
    consumer.closeAsync();
  }
}
