// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

/**
 * Counts what comes after something that it should have come before. One thread hands it in; any
 * may ask.
 *
 * @param <T> by which it is ordered
 */
final class Order<T extends Comparable<T>> {

  private T furthest;
  private volatile long disordered;

  void take(T next) {
    if (furthest == null || next.compareTo(furthest) >= 0) {
      furthest = next;
    } else {
      disordered = disordered + 1;
    }
  }

  long disordered() {
    return disordered;
  }
}
