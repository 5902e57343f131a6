// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.SplitMix64;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;

/**
 * At which place of the topic the broker has acknowledged which message. Ids begin at 0 and are at
 * most {@link io.headpond.harness.pulsar.PulsarLoadSettings#MESSAGES_LIMIT}. Safe for use by
 * several threads.
 */
final class Acknowledged {

  private final BitSet ids = new BitSet();
  private long[] places = new long[1024];
  private long count;

  synchronized void add(int id, long place) {
    if (id >= places.length) {
      places = Arrays.copyOf(places, Math.max(id + 1, places.length * 2));
    }
    places[id] = place;
    ids.set(id);
    count++;
  }

  /** True if the broker acknowledged it, wherever. */
  synchronized boolean holds(int id) {
    return ids.get(id);
  }

  /** True if the broker acknowledged it there. */
  synchronized boolean isAt(int id, long place) {
    return ids.get(id) && places[id] == place;
  }

  synchronized long count() {
    return count;
  }

  /** The acknowledged messages that aren't among {@code others}. */
  synchronized BitSet missingIn(BitSet others) {
    BitSet missing = (BitSet) ids.clone();
    missing.andNot(others);
    return missing;
  }

  /**
   * A place in one number: two different ones of a test get the same with a probability of 2^-64.
   */
  static long place(int partition, MessageId messageId) {
    MessageIdAdv id = (MessageIdAdv) messageId;
    long place = SplitMix64.mix(id.getLedgerId());
    place = SplitMix64.mix(place ^ id.getEntryId());
    return SplitMix64.mix(place ^ ((long) partition << 32 | id.getBatchIndex() & 0xffffffffL));
  }
}
