// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.pmem.Background;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.StoreRefusedException;

/**
 * Reports a start that the store refused: once in the engine's log at once, which a page of stack
 * traces and of shutdown follows, and again when the JVM ends.
 */
final class RefusedStart {
  private RefusedStart() {}

  /** Says it, now and at the end. */
  static void say(final StoreRefusedException reason, final Background background) {
    final EventCode.Words words = reason.words();
    words.log();
    try {
      Runtime.getRuntime()
          .addShutdownHook(background.once("headpond-refused", () -> sayLast(words)));
    } catch (final IllegalStateException e) {
      sayLast(words); // the JVM ends already
    }
  }

  /** On standard error too: the engine's logging may have ended before. */
  private static void sayLast(final EventCode.Words words) {
    words.log();
    System.err.println("headpond: the start is refused: " + words.text());
  }
}
