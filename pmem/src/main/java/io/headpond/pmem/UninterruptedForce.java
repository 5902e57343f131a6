// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;

/**
 * A force whose outcome is known although an interrupt came upon it.
 *
 * <p>An interrupt closes the channel, and {@code force} then says so and not what the device said.
 * Linux reports a failed write-back once to each descriptor that was open at the time (errseq_t,
 * fsync(2)): a spare one, opened before the force, still tells. One that is opened afterwards may
 * succeed and make nothing durable. Any thread.
 */
public final class UninterruptedForce {
  private UninterruptedForce() {}

  /** Opens another descriptor of the file. */
  @FunctionalInterface
  public interface Opening {
    /** Opens it. */
    FileChannel open() throws IOException;
  }

  /**
   * Forces a file. The thread finds its interrupt afterwards.
   *
   * @param channel is closed by an interrupt
   * @param spare makes the descriptor that is asked then
   * @throws IOException if the force failed, or its outcome is unknown
   */
  public static void force(FileChannel channel, Opening spare, boolean metaData)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    try (FileChannel second = openIfPossible(spare)) {
      try {
        channel.force(metaData);
      } catch (AsynchronousCloseException e) {
        interrupted |= Thread.interrupted();
        askElsewhere(second, metaData, e);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Forces a file that is open twice. The thread finds its interrupt afterwards.
   *
   * @param channel is closed by an interrupt
   * @param second the other descriptor, opened before the force; null: there is none
   * @throws IOException if the force failed, or its outcome is unknown
   */
  static void force(FileChannel channel, FileChannel second, boolean metaData) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      channel.force(metaData);
    } catch (AsynchronousCloseException e) {
      interrupted |= Thread.interrupted();
      askElsewhere(second, metaData, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Forces a file by a descriptor that no interrupt may close. The thread finds its interrupt
   * afterwards.
   */
  static void ask(FileChannel spare, boolean metaData) throws IOException {
    forceElsewhere(spare, metaData);
  }

  private static void askElsewhere(
      FileChannel second, boolean metaData, AsynchronousCloseException cause) throws IOException {
    if (second == null) {
      throw new IOException("interrupted while it was forced: the outcome is unknown", cause);
    }
    forceElsewhere(second, metaData);
  }

  /** Null where the process has no descriptor left: then only an interrupt is one too many. */
  private static FileChannel openIfPossible(Opening spare) {
    try {
      return spare.open();
    } catch (IOException e) {
      return null;
    }
  }

  /** Forces on a thread that no interrupt reaches. */
  private static void forceElsewhere(FileChannel channel, boolean metaData) throws IOException {
    Uninterrupted.call(
        "headpond-force",
        () -> {
          channel.force(metaData);
          return null;
        });
  }
}
