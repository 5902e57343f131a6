// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Payload;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Producers of one topic after the other, each with a client, and so a connection, of its own that
 * outlives the topics. Its methods are for one thread, but for those that its producers call.
 */
final class TopicProducers implements AutoCloseable {

  private static final long LATENCY_MAX_NANOS = 600_000_000_000L;
  private static final int SEND_SECONDS = 30;
  private static final long SEED = 1;

  private final String serviceUrl;
  private final List<PulsarClient> clients = new ArrayList<>();
  private final List<PacedProducer> producers = new ArrayList<>();
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Recorder latency = new Recorder(LATENCY_MAX_NANOS, 3);
  private volatile String lastError = "";
  private volatile boolean sending;

  /** Connects to nothing yet. */
  TopicProducers(String serviceUrl) {
    this.serviceUrl = serviceUrl;
  }

  /** Lets producers loose on a topic that exists. */
  void start(String topic, SendingOrder order) throws PulsarClientException {
    if (!producers.isEmpty()) {
      throw new IllegalStateException("the producers run already");
    }
    byte[][] messages = new Payload(SEED, order.messageBytes(), false, Long.MAX_VALUE).prepared();
    while (clients.size() < order.senders()) {
      clients.add(connect());
    }
    List<Producer<byte[]>> open = new ArrayList<>();
    for (PulsarClient client : clients.subList(0, order.senders())) {
      open.add(open(client, topic, order));
    }
    sending = true;
    long start = System.nanoTime();
    for (int i = 0; i < open.size(); i++) {
      producers.add(new PacedProducer(this, open.get(i), messages, order, i, start));
    }
    producers.forEach(PacedProducer::start);
  }

  private PulsarClient connect() throws PulsarClientException {
    return PulsarClient.builder().serviceUrl(serviceUrl).ioThreads(1).listenerThreads(1).build();
  }

  private static Producer<byte[]> open(PulsarClient client, String topic, SendingOrder order)
      throws PulsarClientException {
    return client
        .newProducer()
        .topic(topic)
        .enableBatching(order.pace().fullSpeed())
        .maxPendingMessages(order.window())
        .blockIfQueueFull(true)
        .sendTimeout(SEND_SECONDS, TimeUnit.SECONDS)
        .create();
  }

  /** Sends no more, and waits until what was sent is answered. */
  void stop() throws PulsarClientException, InterruptedException {
    sending = false;
    for (PacedProducer producer : producers) {
      producer.close();
    }
    producers.clear();
  }

  SentFigures figures() {
    return new SentFigures(
        acknowledged.sum(), bytes.sum(), failures.sum(), latency.getIntervalHistogram(), lastError);
  }

  boolean sending() {
    return sending;
  }

  void acknowledged(int messageBytes, long nanos) {
    latency.recordValue(Math.min(Math.max(nanos, 1), LATENCY_MAX_NANOS));
    acknowledged.increment();
    bytes.add(messageBytes);
  }

  /** Notes a failure: nothing is sent any more, because such a load measures nothing. */
  void failed(Throwable error) {
    lastError = error.toString();
    failures.increment();
    sending = false;
  }

  @Override
  public void close() {
    sending = false;
    clients.forEach(PulsarClient::closeAsync);
  }
}
