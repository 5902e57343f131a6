// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * Safety of this JVM's cache-line write-back (JEP 352): callable, or a crash.
 *
 * <p>From JDK 18 on HotSpot generates the stubs of {@code MappedByteBuffer.force} on a {@code
 * MAP_SYNC} mapping together with C2, in a compiler thread, after start. Without C2 ({@code -Xint},
 * {@code -XX:TieredStopAtLevel=1}) they never come and the call is a SIGSEGV (seen on 25.0.3). So:
 *
 * <ul>
 *   <li>Java 17: always safe.
 *   <li>Java 18 and newer: safe only when {@code java.vm.info} says mixed mode and the flag {@code
 *       TieredStopAtLevel} can be read and is 4.
 *   <li>Even then, {@code FileChannel.force(false)} replaces the mapped force during the first 10
 *       seconds of the JVM, when the compiler thread may not have generated the stubs yet.
 * </ul>
 */
final class WriteBack {
  private static final long STUBS_AFTER_MILLIS = 10_000;
  private static boolean ready;

  private WriteBack() {}

  /** The reason why write-back must not be used in this JVM; empty: it may. */
  static Optional<String> unsafeReason() {
    return unsafeReason(
        Runtime.version().feature(), System.getProperty("java.vm.info", ""), VmFlags.read());
  }

  static Optional<String> unsafeReason(int feature, String vmInfo, VmFlags flags) {
    if (feature < 18) {
      return Optional.empty();
    }
    if (!vmInfo.contains("mixed mode")) {
      return Optional.of(
          "this JVM does not run in mixed mode (java.vm.info is '"
              + vmInfo
              + "'), where a mapped force crashes it; remove -Xint or -Xcomp");
    }
    Optional<String> level = flags.value("TieredStopAtLevel");
    if (level.isEmpty()) {
      return Optional.of(
          "this JVM does not tell its flag TieredStopAtLevel (module jdk.management missing?), so a"
              + " mapped force may crash it");
    }
    if (!level.get().equals("4")) {
      return Optional.of(
          "this JVM runs with -XX:TieredStopAtLevel="
              + level.get()
              + ", where a mapped force crashes it; remove that flag");
    }
    return Optional.empty();
  }

  /** True once the JVM is old enough for its stubs to be there; then true for ever. */
  static boolean stubsReady() {
    if (ready) {
      return true;
    }
    ready =
        Runtime.version().feature() < 18
            || ManagementFactory.getRuntimeMXBean().getUptime() > STUBS_AFTER_MILLIS;
    return ready;
  }
}
