// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Payload;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.pulsar.client.api.HashingScheme;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Publishes keyed messages, one thread, so that a partition's messages have ascending ids. A
 * message is sent until it is acknowledged, over restarts of bookie and broker. It can be started
 * again after it was stopped; ids go on then.
 */
final class Publisher implements AutoCloseable {

  private static final long LATENCY_MAX_NANOS = 600_000_000_000L;
  private static final long BEHIND_MAX_NANOS = 100_000_000L;

  private final PulsarLoadSettings settings;
  private final Payload payload;
  private final Acknowledged acknowledged;
  private final Errors errors;
  private final Producer<byte[]> producer;
  private final Recorder latency = new Recorder(LATENCY_MAX_NANOS, 3);
  private final LongAdder bytes = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean running;
  private Thread thread;
  private int nextId;

  Publisher(
      PulsarClient client,
      PulsarLoadSettings settings,
      Payload payload,
      Acknowledged acknowledged,
      Errors errors)
      throws PulsarClientException {
    this.settings = settings;
    this.payload = payload;
    this.acknowledged = acknowledged;
    this.errors = errors;
    this.producer =
        client
            .newProducer()
            .topic(settings.topic())
            .producerName("headpond")
            .hashingScheme(HashingScheme.Murmur3_32Hash)
            .maxPendingMessages(settings.pendingMax())
            .blockIfQueueFull(true)
            .sendTimeout(0, TimeUnit.SECONDS)
            .create();
  }

  synchronized void start() {
    if (publishing()) {
      throw new IllegalStateException("the publisher runs already");
    }
    running = true;
    thread = new Thread(this::publish, "publisher");
    thread.setDaemon(true);
    thread.start();
  }

  private void publish() {
    long startNanos = System.nanoTime();
    long pacedBytes = 0;
    while (running && nextId < settings.messagesMax()) {
      pacedBytes += send(nextId++);
      if (settings.bytesPerSecond() > 0) {
        long due = startNanos + (long) (pacedBytes * 1e9 / settings.bytesPerSecond());
        long ahead = due - System.nanoTime();
        if (ahead > 1_000_000) {
          LockSupport.parkNanos(ahead);
        } else if (-ahead > BEHIND_MAX_NANOS) {
          // Messages that an outage held up must not become a burst after it.
          startNanos = System.nanoTime();
          pacedBytes = 0;
        }
      }
    }
  }

  private int send(int id) {
    byte[] key = payload.key(id);
    byte[] value = payload.value(id);
    sent.increment();
    long sentNanos = System.nanoTime();
    producer
        .newMessage()
        .keyBytes(key)
        .value(value)
        .sendAsync()
        .whenComplete(
            (messageId, error) -> {
              if (error != null) {
                failed.increment();
                errors.add("publisher", error);
              } else {
                long nanos = Math.max(1, System.nanoTime() - sentNanos);
                latency.recordValue(Math.min(nanos, LATENCY_MAX_NANOS));
                int partition = ((MessageIdAdv) messageId).getPartitionIndex();
                acknowledged.add(id, Acknowledged.place(partition, messageId));
                bytes.add(key.length + value.length);
              }
              answered.increment();
            });
    return key.length + value.length;
  }

  /** Sends no more; what was sent is still waited for. */
  void stop() {
    running = false;
    producer.flushAsync();
  }

  /** True if something is to be sent, or was sent and isn't answered. */
  synchronized boolean publishing() {
    return thread != null && thread.isAlive() || answered.sum() < sent.sum();
  }

  long acknowledgedBytes() {
    return bytes.sum();
  }

  long failed() {
    return failed.sum();
  }

  Histogram latencyInterval() {
    return latency.getIntervalHistogram();
  }

  @Override
  public void close() {
    running = false;
    producer.closeAsync();
  }
}
