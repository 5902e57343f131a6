// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Payload;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import java.util.BitSet;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pulsar.client.api.Message;

/** The messages that the consumers of one subscription got. Any thread. */
final class Received {

  /** The kinds of messages, for the subscription that got them. */
  enum Kind {
    /** Whole, and here for the first time. */
    FIRST,
    /** Whole, and got before. */
    AGAIN,
    /** Not what was sent. */
    CORRUPT
  }

  private final Payload payload;
  private final BitSet seen = new BitSet();
  private final LongAdder messages = new LongAdder();
  private final LongAdder again = new LongAdder();
  private final LongAdder corrupt = new LongAdder();

  Received(Payload payload) {
    this.payload = payload;
  }

  /** Compares its key and value with what was sent; the id it carries, or -1. */
  static int idOf(Message<byte[]> message, Payload payload) {
    long id = payload.verify(message.getKeyBytes(), message.getData());
    return id < 0 || id >= PulsarLoadSettings.MESSAGES_LIMIT ? -1 : (int) id;
  }

  /** Takes note of a message that {@link #idOf} found to carry {@code id}. */
  Kind take(int id) {
    if (id < 0) {
      corrupt.increment();
      return Kind.CORRUPT;
    }
    messages.increment();
    synchronized (seen) {
      if (!seen.get(id)) {
        seen.set(id);
        return Kind.FIRST;
      }
    }
    again.increment();
    return Kind.AGAIN;
  }

  Payload payload() {
    return payload;
  }

  /** Messages got, also those that came again. */
  long messages() {
    return messages.sum();
  }

  long again() {
    return again.sum();
  }

  long corrupt() {
    return corrupt.sum();
  }

  /** The acknowledged messages that never came. */
  BitSet missing(Acknowledged acknowledged) {
    synchronized (seen) {
      return acknowledged.missingIn(seen);
    }
  }
}
