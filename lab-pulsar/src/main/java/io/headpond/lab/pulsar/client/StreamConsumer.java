// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * The only consumer of an exclusive subscription: each partition in the order of the topic,
 * acknowledged cumulatively. A message that comes for the first time after one that lies behind it
 * is out of order.
 */
final class StreamConsumer implements AutoCloseable {

  private static final int ACKNOWLEDGE_EACH = 500;

  private final Consumer<byte[]> consumer;
  private final Received received;
  private final Errors errors;
  private final Thread thread;
  private final List<Order<MessageId>> orders;
  private final MessageId[] unacknowledged;
  private volatile boolean running = true;

  StreamConsumer(
      PulsarClient client, String topic, int partitions, Received received, Errors errors)
      throws PulsarClientException {
    this.received = received;
    this.errors = errors;
    this.orders = Stream.generate(Order<MessageId>::new).limit(partitions).toList();
    this.unacknowledged = new MessageId[partitions];
    this.consumer =
        client
            .newConsumer()
            .topic(topic)
            .subscriptionName("stream")
            .consumerName("stream")
            .subscriptionType(SubscriptionType.Exclusive)
            .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
            .subscribe();
    this.thread = new Thread(this::consume, "stream");
    thread.setDaemon(true);
    thread.start();
  }

  private void consume() {
    int since = 0;
    while (running) {
      try {
        Message<byte[]> message = consumer.receive(100, TimeUnit.MILLISECONDS);
        if (message != null) {
          take(message);
          since++;
        }
        if (message == null || since >= ACKNOWLEDGE_EACH) {
          since = 0;
          acknowledge();
        }
      } catch (PulsarClientException e) {
        if (running) {
          errors.add("stream", e);
        }
        return;
      }
    }
  }

  private void take(Message<byte[]> message) {
    MessageId place = message.getMessageId();
    int partition = ((MessageIdAdv) place).getPartitionIndex();
    if (received.take(Received.idOf(message, received.payload())) == Received.Kind.FIRST) {
      orders.get(partition).take(place);
    }
    unacknowledged[partition] = place;
  }

  private void acknowledge() {
    for (int p = 0; p < unacknowledged.length; p++) {
      if (unacknowledged[p] != null) {
        consumer
            .acknowledgeCumulativeAsync(unacknowledged[p])
            .whenComplete(
                (done, error) -> {
                  // One that is lost on the way is covered by the next.
                  if (error != null && running) {
                    errors.add("stream, acknowledging", error);
                  }
                });
        unacknowledged[p] = null;
      }
    }
  }

  long disordered() {
    return orders.stream().mapToLong(Order::disordered).sum();
  }

  @Override
  public void close() {
    running = false;
    consumer.closeAsync();
  }
}
