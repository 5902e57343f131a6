// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

/**
 * An order to a client's process: what it sends until it is told to stop.
 *
 * @param messageBytes size of each message
 * @param senders take turns at what is due
 * @param window messages of a sender that may wait for their answer, at least 1
 * @param pace when messages are due, from which their latencies count then
 */
public record SendingOrder(int messageBytes, int senders, int window, Pace pace) {

  public SendingOrder {
    if (messageBytes < 1 || senders < 1 || window < 1) {
      throw new IllegalArgumentException(
          String.format(
              "%d senders of messages of %d bytes, %d under way", senders, messageBytes, window));
    }
  }
}
