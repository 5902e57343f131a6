// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Payload;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;

/**
 * Reads a topic from its beginning to its end, and compares every message with what was sent and
 * what was acknowledged. Once; the progress may be asked for by any thread.
 */
final class TopicReading {

  private static final int LIMIT_SECONDS = 60;
  private static final int EXAMPLES_MAX = 20;
  private static final long RETRY_NANOS = 200_000_000;

  private final PulsarLoadSettings settings;
  private final Payload payload;
  private final Acknowledged acknowledged;
  private final BitSet verified = new BitSet();
  private final BitSet seen = new BitSet();
  private final List<String> examples = new ArrayList<>();
  private volatile long messages;
  private volatile boolean done;
  private volatile IOException failure;
  private long corrupt;
  private long copies;
  private long unacknowledged;
  private long disordered;

  TopicReading(PulsarLoadSettings settings, Payload payload, Acknowledged acknowledged) {
    this.settings = settings;
    this.payload = payload;
    this.acknowledged = acknowledged;
  }

  /** Begins in a thread of its own. */
  void start(PulsarClient client) {
    Thread thread = new Thread(() -> run(client), "reading");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(PulsarClient client) {
    try {
      readAll(client);
    } catch (IOException e) {
      failure = e;
    }
    done = true;
  }

  private void readAll(PulsarClient client) throws IOException {
    for (int partition = 0; partition < settings.partitions(); partition++) {
      try (Reader<byte[]> reader =
          client
              .newReader()
              .topic(settings.topic() + "-partition-" + partition)
              .startMessageId(MessageId.earliest)
              .create()) {
        read(reader, partition);
      }
    }
    acknowledged.missingIn(verified).stream()
        .limit(EXAMPLES_MAX)
        .forEach(id -> example("acknowledged message " + id + " isn't where it was acknowledged"));
  }

  private void read(Reader<byte[]> reader, int partition) throws IOException {
    // A partition's messages were sent with ascending ids.
    Order<Integer> order = new Order<>();
    while (moreIn(reader)) {
      Message<byte[]> message = reader.readNext(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new IOException(
            "reading of partition " + partition + " stands still since " + LIMIT_SECONDS + " s");
      }
      check(message, partition, order);
      messages++;
    }
    disordered += order.disordered();
  }

  /** A broker may take some time to see that a bookie has come back. */
  private static boolean moreIn(Reader<byte[]> reader) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (true) {
      try {
        return reader.hasMessageAvailable();
      } catch (PulsarClientException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void check(Message<byte[]> message, int partition, Order<Integer> order) {
    int id = Received.idOf(message, payload);
    long place = Acknowledged.place(partition, message.getMessageId());
    if (id < 0) {
      corrupt++;
      example(
          "partition " + partition + " at " + message.getMessageId() + ": not what was sent there");
      return;
    }
    if (!seen.get(id)) {
      seen.set(id);
      order.take(id);
    }
    if (acknowledged.isAt(id, place)) {
      verified.set(id);
    } else if (acknowledged.holds(id)) {
      copies++;
    } else {
      unacknowledged++;
    }
  }

  private void example(String text) {
    if (examples.size() < EXAMPLES_MAX) {
      examples.add(text);
    }
  }

  /** True if it has ended, well or not. */
  boolean done() {
    return done;
  }

  /** Throws unless everything was read. */
  void requireWhole() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (!done) {
      throw new IOException("the topic isn't read to its end yet");
    }
  }

  long messages() {
    return messages;
  }

  long verified() {
    return verified.cardinality();
  }

  long lost() {
    return acknowledged.missingIn(verified).cardinality();
  }

  long corrupt() {
    return corrupt;
  }

  long copies() {
    return copies;
  }

  long unacknowledged() {
    return unacknowledged;
  }

  /** Messages whose first copy lies behind a later message of their partition. */
  long disordered() {
    return disordered;
  }

  List<String> examples() {
    return List.copyOf(examples);
  }
}
