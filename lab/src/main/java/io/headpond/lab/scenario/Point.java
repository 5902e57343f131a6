// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.headpond.harness.load.Fields;
import io.headpond.harness.load.Pace;
import java.util.Locale;
import java.util.Map;

/**
 * One load on one engine.
 *
 * @param messageBytes size of each message
 * @param pace what is due when
 * @param producers senders, each with a connection; 0: nothing is sent
 * @param consumers readers of what is sent meanwhile; 0: none, and no end-to-end latency
 * @param topics that messages are spread over; a ledger engine writes a ledger for each producer
 * @param partitions of each topic; for engines that have them
 * @param backlogBytes written before, and read again and again meanwhile, dropped from the page
 *     cache each time where it lies on disk; 0: none
 * @param window messages of all senders that may wait for their answer; 0: as many as the engine's
 *     rig lets
 * @param rampSeconds at the pace before it is measured
 * @param seconds measured
 */
public record Point(
    int messageBytes,
    Pace pace,
    int producers,
    int consumers,
    int topics,
    int partitions,
    long backlogBytes,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int window,
    double rampSeconds,
    double seconds) {

  /** Default partitions of a topic. */
  public static final int PARTITIONS = 4;

  private static final int MESSAGE_BYTES_MIN = 64;
  private static final int MESSAGE_BYTES_MAX = 1_000_000;

  /** Largest entry, below the largest frame that a bookie accepts. */
  private static final int ENTRY_BYTES_MAX = 4 << 20;

  private static final int WINDOW_MAX = 10_000;

  /** Bytes of a full window, which client and engine hold in memory. */
  private static final long IN_FLIGHT_BYTES_MAX = 64L << 20;

  private static final int CLIENTS_MAX = 256;
  private static final int PARTITIONS_MAX = 10_000;
  private static final double SECONDS_MAX = 24 * 3600;

  /** Refuses what can't be measured. */
  public Point {
    checkSize(messageBytes, window);
    check(
        producers >= 0 && producers <= CLIENTS_MAX && consumers >= 0 && consumers <= CLIENTS_MAX,
        "there are 0 to 256 producers and consumers, not " + producers + " and " + consumers);
    check(
        producers > 0 || backlogBytes > 0, "without producers there must be a backlog to be read");
    check(
        topics > 0 && partitions > 0 && (long) topics * partitions <= PARTITIONS_MAX,
        "there are 1 to 10,000 partitions of all topics, not " + topics + " x " + partitions);
    check(
        rampSeconds >= 0 && seconds > 0 && seconds <= SECONDS_MAX,
        "a point is measured for up to a day, not for " + seconds + " s");
  }

  private static void checkSize(int messageBytes, int window) {
    if (window == 0) {
      check(
          messageBytes >= MESSAGE_BYTES_MIN && messageBytes <= MESSAGE_BYTES_MAX,
          "a message has 64 to 1,000,000 bytes, not " + messageBytes);
      return;
    }
    check(
        messageBytes >= MESSAGE_BYTES_MIN && messageBytes <= ENTRY_BYTES_MAX,
        "an entry has 64 B to 4 MiB, not " + messageBytes + " bytes");
    check(window > 0 && window <= WINDOW_MAX, windowText(window));
    check(
        (long) window * messageBytes <= IN_FLIGHT_BYTES_MAX,
        String.format(
            "a window of %d entries of %d bytes is more than the 64 MiB that may be under way",
            window, messageBytes));
  }

  private static String windowText(int window) {
    return "a window is 1 to " + WINDOW_MAX + " adds, not " + window;
  }

  private static void check(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** One producer, no consumer, one topic of one partition, at full speed. */
  public static Point of(int messageBytes, double seconds) {
    return new Point(messageBytes, Pace.FULL_SPEED, 1, 0, 1, 1, 0, 0, ramp(seconds), seconds);
  }

  /**
   * A ledger's entries at full speed.
   *
   * @param window adds that may wait for their answer
   */
  public static Point adds(int entryBytes, int window, double rampSeconds, double seconds) {
    check(window > 0, windowText(window));
    return new Point(entryBytes, Pace.FULL_SPEED, 1, 0, 1, 1, 0, window, rampSeconds, seconds);
  }

  private static double ramp(double seconds) {
    return Math.max(0.5, seconds / 5);
  }

  /** A copy of which so many messages may wait for their answer. */
  public Point window(int messages) {
    return Fields.with(this, Map.of("window", messages));
  }

  /** A copy at another pace. */
  public Point at(Pace other) {
    return Fields.with(this, Map.of("pace", other));
  }

  /** A copy with other clients. */
  public Point clients(int producing, int consuming) {
    return Fields.with(this, Map.of("producers", producing, "consumers", consuming));
  }

  /** A copy on other topics. */
  public Point on(int newTopics, int partitionsOfEach) {
    return Fields.with(this, Map.of("topics", newTopics, "partitions", partitionsOfEach));
  }

  /** A copy with another backlog. */
  public Point beside(long backlog) {
    return Fields.with(this, Map.of("backlogBytes", backlog));
  }

  /** A copy that is measured for another time. */
  public Point lasting(double ramp, double measured) {
    return Fields.with(this, Map.of("rampSeconds", ramp, "seconds", measured));
  }

  /** The load in words, alike for alike loads; the times aren't in it. */
  public String text() {
    StringBuilder text = new StringBuilder(size(messageBytes)).append(" messages");
    if (producers > 0) {
      text.append(
          pace.fullSpeed()
              ? ", full speed"
              : String.format(Locale.ROOT, ", %,.0f/s", pace.meanPerSecond()));
    }
    count(text, producers, "producer");
    count(text, consumers, "consumer");
    count(text, topics > 1 ? topics : 0, "topic");
    if (window > 0) {
      text.append(", window ").append(window);
    }
    if (backlogBytes > 0) {
      text.append(", ").append(backlogBytes >> 20).append(" MiB of backlog read");
    }
    return text.toString();
  }

  private static void count(StringBuilder text, int number, String noun) {
    if (number > 0) {
      text.append(", ").append(number).append(' ').append(noun).append(number == 1 ? "" : "s");
    }
  }

  static String size(int bytes) {
    return bytes % 1024 == 0 ? bytes / 1024 + " KiB" : bytes + " B";
  }
}
