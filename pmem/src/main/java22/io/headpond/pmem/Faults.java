// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * Makes the JVM deliver a fault of a mapped store where it happened.
 *
 * <p>When a store to a mapping faults, compiled code goes on and the {@link InternalError} is
 * thrown at the thread's next safepoint poll, which may lie anywhere behind the {@code try} (seen
 * on 25). A loop that the compiler can't count keeps its poll and is one. The class of the same
 * name for older JVMs needs more.
 */
final class Faults {
  /** Every element leads to the one before it: not known to the compiler. */
  private static final int[] CHAIN = {0, 0, 1};

  private Faults() {}

  /**
   * To be called after a store to a mapping, within the same {@code try}.
   *
   * @throws InternalError if that store faulted
   */
  static void deliver() {
    int at = CHAIN.length - 1;
    while (at != 0) {
      at = CHAIN[at];
    }
  }
}
