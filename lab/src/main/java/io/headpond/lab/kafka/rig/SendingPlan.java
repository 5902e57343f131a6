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
    boolean dueInHeader) {

  private static final int WORDS = 10;

  SendingPlan {
    topics = List.copyOf(topics);
  }

  /** For {@link #decode}: one line of words. */
  String encode() {
    return String.join(
        " ",
        String.join(",", topics),
        "" + messageBytes,
        producers.acks(),
        producers.compression(),
        pace.encode(),
        "" + first,
        "" + own,
        "" + all,
        "" + bytesMax,
        "" + dueInHeader);
  }

  /** Reads what {@link #encode} gave. */
  static SendingPlan decode(String line) {
    String[] words = line.split(" ");
    if (words.length != WORDS) {
      throw new IllegalArgumentException("not the words of a load: " + line);
    }
    return new SendingPlan(
        List.of(words[0].split(",")),
        Integer.parseInt(words[1]),
        new Producers(words[2], words[3]),
        Pace.decode(words[4]),
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]),
        Integer.parseInt(words[7]),
        Long.parseLong(words[8]),
        Boolean.parseBoolean(words[9]));
  }
}
