// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import java.io.IOException;

/**
 * A load that runs, and one node's death and return meanwhile: {@link #kill}, {@link #restart},
 * {@link #stop}, {@link #verify}, in this order. For one thread.
 */
public interface NodeOutage extends AutoCloseable {

  /** The number of the node that dies, from 1 on. */
  int victim();

  /** The figures since the last call; an error if that can't go on. */
  OutageInterval interval() throws IOException, InterruptedException;

  /** SIGKILL. */
  void kill() throws IOException, InterruptedException;

  /** Starts it again, and doesn't wait. */
  void restart() throws IOException, InterruptedException;

  /** True if the node's process lives. */
  boolean running();

  /** True if it does its share again, as all others do. */
  boolean inSync() throws IOException, InterruptedException;

  /** The end of what the node said. */
  String tail() throws IOException;

  /** Sends no more, and waits for all answers. */
  void stop() throws IOException, InterruptedException;

  /** Messages acknowledged from the beginning to the latest interval. */
  long acknowledged();

  /**
   * The number of messages that were refused and sent again, to the latest interval; 0 of a client
   * that does that by itself.
   */
  long resent();

  /**
   * Reads all messages back; an error if one that was acknowledged isn't there as it was sent.
   * After {@link #stop} and an interval.
   */
  void verify() throws IOException, InterruptedException;

  /** Ends the load if it runs, and removes what it has written, unless the node is dead. */
  @Override
  void close() throws IOException;
}
