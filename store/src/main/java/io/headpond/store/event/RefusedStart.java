// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Ends the process of an engine whose start is refused, on the spot: the reason is the last line of
 * its log and of its standard error.
 *
 * <p>Design note: an exception would be followed by the engine's stack traces and by the lines of
 * its shutdown, and by the exit code 1, for which a service manager starts it again.
 */
public final class RefusedStart {
  /** The process's exit code; a configuration error in {@code sysexits.h}. */
  public static final int EXIT_CODE = 78;

  private RefusedStart() {}

  /** Logs the refusal and halts the JVM. A second thread's refusal waits for that. */
  public static synchronized void end(final StoreRefusedException refusal) {
    try {
      refusal.words().log();
      stopLogging();
      System.err.println("headpond: the start is refused: " + refusal.getMessage());
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  /** Writes out what the engine's logging holds back, and lets no other thread's line follow. */
  private static void stopLogging() {
    final MethodType none = MethodType.methodType(void.class);
    stop("org.apache.log4j.LogManager", none);
    stop(
        "org.apache.logging.log4j.LogManager",
        none.appendParameterTypes(boolean.class, boolean.class),
        false,
        true);
  }

  private static void stop(final String manager, final MethodType type, final Object... arguments) {
    try {
      MethodHandles.publicLookup()
          .findStatic(Class.forName(manager), "shutdown", type)
          .invokeWithArguments(arguments);
    } catch (final Throwable notThisEngines) {
      return; // another logging, which keeps nothing back
    }
  }
}
