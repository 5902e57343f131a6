// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * Makes the JVM deliver a fault of a mapped store where it happened.
 *
 * <p>When a store to a mapping faults, the JVM lets the code go on and throws an {@link
 * InternalError} later. On Java 17 "later" is the next time that the thread enters the JVM from
 * Java code for some other reason, in any method: it was seen to break the JDK's own channel
 * classes half way. A call that enters the JVM every time brings it out at once. Creating an array
 * of two dimensions unknown to the compiler is the cheapest such call found (35 ns, 16 bytes of
 * garbage); native methods don't do it. The class of the same name in the jar's layer for Java 22
 * does with less.
 */
final class Faults {
  private static int none; // not final, so that the compiler can't know it

  private Faults() {}

  /**
   * To be called after a store to a mapping, within the same {@code try}.
   *
   * @throws InternalError if that store faulted
   */
  static void deliver() {
    if (new byte[none][none].length != 0) {
      throw new AssertionError();
    }
  }
}
