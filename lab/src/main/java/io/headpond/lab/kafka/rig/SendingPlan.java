// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.harness.load.Pace;
import io.headpond.lab.kafka.load.Producers;
import java.util.List;

/**
 * The plan of the senders of one process; other processes may share a pace with it.
 *
 * @param topics that exist; messages take turns over them
 * @param messageBytes size of each message
 * @param producers of its senders
 * @param pace of all senders of all processes together
 * @param first number of this process's first sender among all of them
 * @param own senders of this process, each with a connection
 * @param all senders of all processes
 * @param bytesMax what this process may send; then it ends early
 * @param window messages of one sender that may wait for their answer; 0: as many as its producer
 *     holds
 * @param dueInHeader whether messages say when they were due, for those who measure their arrival
 */
record SendingPlan(
    List<String> topics,
    int messageBytes,
    Producers producers,
    Pace pace,
    int first,
    int own,
    int all,
    long bytesMax,
    int window,
    boolean dueInHeader) {

  SendingPlan {
    topics = List.copyOf(topics);
  }
}
