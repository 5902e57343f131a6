// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.CopyBuffer;

/**
 * What the product asks the JVM for besides files: a thread, a task's place in a queue, memory. A
 * source in which these stand in the JDK's place throws what a {@link ModelDisk} is told to throw.
 */
public final class OutsideCalls {
  /** The devices of the run that is being played; null if none is. */
  private static volatile ModelDisk disk;

  private OutsideCalls() {}

  static void of(final ModelDisk run) {
    disk = run;
  }

  private static void told(final String what) {
    final ModelDisk now = disk;
    if (now != null) {
      now.outside(what);
    }
  }

  /** As the constructor. */
  public static Thread thread(final Runnable body, final String name) {
    told("THREAD");
    return new Thread(body, name);
  }

  /** Comes before a task is given to an executor. */
  public static void task() {
    told("TASK");
  }

  /** As {@link CopyBuffer#take}, which a thread's first copy asks for memory. */
  public static CopyBuffer copyBuffer(final int alignment) {
    told("MEMORY");
    return CopyBuffer.take(alignment);
  }
}
