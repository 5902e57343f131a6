// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Payload;
import io.headpond.harness.pulsar.PulsarFigures;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import io.headpond.harness.pulsar.PulsarReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * The clients of one topic, on one connection pool. What takes long is begun and then asked for.
 */
final class TopicLoad implements AutoCloseable {

  private static final int KEYS = 10_000;

  private final PulsarLoadSettings settings;
  private final Payload payload;
  private final Acknowledged acknowledged = new Acknowledged();
  private final Errors errors = new Errors();
  private final Received streamed;
  private final Received queued;
  private final PulsarClient client;
  private final Publisher publisher;
  private final StreamConsumer stream;
  private final List<QueueConsumer> queue = new ArrayList<>();
  private TopicReading reading;

  /** Connects publisher and stream, and makes the queue's subscription. */
  TopicLoad(PulsarLoadSettings settings) throws PulsarClientException {
    this.settings = settings;
    this.payload = new Payload(settings.seed(), settings.messageBytes(), true, KEYS);
    this.streamed = new Received(payload);
    this.queued = new Received(payload);
    this.reading = reading();
    this.client =
        PulsarClient.builder()
            .serviceUrl(settings.serviceUrl())
            .startingBackoffInterval(50, TimeUnit.MILLISECONDS)
            .maxBackoffInterval(500, TimeUnit.MILLISECONDS)
            .operationTimeout(60, TimeUnit.SECONDS)
            .build();
    QueueConsumer.prepare(client, settings.topic());
    this.stream =
        new StreamConsumer(client, settings.topic(), settings.partitions(), streamed, errors);
    this.publisher = new Publisher(client, settings, payload, acknowledged, errors);
  }

  void publish() {
    publisher.start();
  }

  void stop() {
    publisher.stop();
  }

  void openQueue() throws PulsarClientException {
    for (int i = queue.size(); i < settings.queueConsumers(); i++) {
      queue.add(new QueueConsumer(client, settings.topic(), i, queued, errors));
    }
  }

  /** Begins to read everything; may be asked for again. */
  void verify() {
    reading = reading();
    reading.start(client);
  }

  private TopicReading reading() {
    return new TopicReading(settings, payload, acknowledged);
  }

  Histogram latencyInterval() {
    return publisher.latencyInterval();
  }

  PulsarFigures figures() {
    return new PulsarFigures(
        publisher.publishing(),
        acknowledged.count(),
        publisher.acknowledgedBytes(),
        publisher.failed(),
        streamed.messages(),
        queued.messages(),
        streamed.missing(acknowledged).cardinality(),
        queued.missing(acknowledged).cardinality(),
        reading.messages(),
        reading.done(),
        errors.texts());
  }

  PulsarReport report() throws IOException {
    reading.requireWhole();
    return new PulsarReport(
        acknowledged.count(),
        reading.verified(),
        reading.lost(),
        reading.corrupt() + streamed.corrupt() + queued.corrupt(),
        reading.copies(),
        reading.unacknowledged(),
        reading.disordered(),
        streamed.missing(acknowledged).cardinality(),
        stream.disordered(),
        queued.missing(acknowledged).cardinality(),
        streamed.again() + queued.again(),
        reading.examples());
  }

  @Override
  public void close() {
    publisher.close();
    stream.close();
    queue.forEach(QueueConsumer::close);
    client.closeAsync();
  }
}
