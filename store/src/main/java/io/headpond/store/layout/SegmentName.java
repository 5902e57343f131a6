// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.util.Set;

/**
 * The names of segments.
 *
 * <p>Kafka names a segment by its base offset in 20 digits, {@code .log}, and while it is being
 * compacted, swapped in or deleted, a further ending: {@code 00000000000000000000.log.cleaned}.
 */
public final class SegmentName {
  /** {@code 20 digits + ".log"}. */
  public static final int PLAIN_LENGTH = 24;

  private static final int DIGITS = 20;

  /** The endings of partition directories that are on their way. */
  private static final Set<String> TRANSIENT = Set.of("delete", "future", "stray");

  private SegmentName() {}

  /** True for a segment, with or without a further ending. */
  public static boolean matches(final String fileName) {
    final int length = fileName.length();
    if (length < PLAIN_LENGTH
        || !fileName.startsWith(".log", DIGITS)
        || (length > PLAIN_LENGTH && fileName.charAt(PLAIN_LENGTH) != '.')) {
      return false;
    }
    for (int i = 0; i < DIGITS; i++) {
      final char c = fileName.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
    }
    return true;
  }

  /** True for a segment of the log itself, without a further ending. */
  public static boolean isPlain(final String fileName) {
    return fileName.length() == PLAIN_LENGTH && matches(fileName);
  }

  /**
   * True if the link of this name may dangle. The engine is about to delete what has these names,
   * and does so around the plug-in now and then.
   *
   * @param partition the partition directory's name
   * @param fileName the segment's file name
   */
  public static boolean mayDangle(final String partition, final String fileName) {
    return fileName.endsWith(".deleted")
        || fileName.endsWith(".cleaned")
        || isBeingDeleted(partition);
  }

  /** True for a partition directory that the engine is about to delete. */
  public static boolean isBeingDeleted(final String partition) {
    return partition.endsWith("-delete");
  }

  /**
   * True for the name of a segment that the engine deletes by its former path, if the directory got
   * another name meanwhile: Kafka does when a replica has moved to another log directory.
   *
   * @param partition the partition directory's former name
   * @param fileName the segment's file name
   */
  public static boolean mayHaveMoved(final String partition, final String fileName) {
    return partition.endsWith("-future") && fileName.endsWith(".deleted");
  }

  /** The base offset in a segment's name. */
  public static long baseOffset(final String fileName) {
    return Long.parseLong(fileName.substring(0, DIGITS));
  }

  /**
   * The topic of a partition directory {@code topic-0}, also of one that is being deleted ({@code
   * topic-0.UUID-delete}), moved ({@code -future}) or was found to be nobody's ({@code -stray}).
   */
  public static String topic(final String partition) {
    final int dash = partition.lastIndexOf('-');
    if (dash <= 0) {
      return partition;
    }
    final int dot = partition.lastIndexOf('.', dash);
    return dot > 0 && TRANSIENT.contains(partition.substring(dash + 1))
        ? topic(partition.substring(0, dot))
        : partition.substring(0, dash);
  }
}
