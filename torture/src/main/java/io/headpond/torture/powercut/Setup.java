// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.util.List;

/**
 * The set-up of the guest for a round.
 *
 * @param java feature release
 * @param backEnd that must be chosen for the NVDIMM
 * @param mapped whether segments go to the NVDIMM; if not, they are plain files that nobody forces
 * @param options more arguments of the JVM
 */
public record Setup(int java, String backEnd, boolean mapped, List<String> options) {
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** The set-up that an operator would get with that Java. */
  static Setup best(int java) throws IOException {
    return java >= 22 && Programs.haveLibpmem() ? libpmem(java) : jep352(java);
  }

  /** Stores by libpmem, on Java 22 or newer. */
  public static Setup libpmem(int java) {
    return new Setup(java, "libpmem", true, List.of(NATIVE_ACCESS));
  }

  /** The JDK's own write-back of cache lines. */
  public static Setup jep352(int java) {
    return new Setup(java, "jep352", true, List.of());
  }

  /**
   * Here the cache-line write-back of Java 22 and newer would crash the JVM: another back end must
   * be chosen.
   */
  public static Setup withoutC2(int java) {
    return new Setup(java, "msync", true, List.of("-XX:TieredStopAtLevel=1"));
  }

  /** The control: plain files that nobody forces. */
  public static Setup control(int java) {
    return new Setup(java, "jep352", false, List.of());
  }

  /** The folder of a Java in the guest. */
  static String jre(int java) {
    return "java" + java;
  }

  /** True if the back end isn't the one of the first seconds of a JVM's life. */
  boolean matures() {
    return java >= 22 && backEnd.equals("jep352") && mapped;
  }

  /** The command that starts a program of the guest. */
  public String command(Class<?> program) {
    return "/"
        + jre(java)
        + "/bin/java -ea -Xmx160m -XX:+UseSerialGC -XX:+ErrorFileToStderr "
        + String.join(" ", options)
        + " -cp '/app/lib/*' "
        + program.getName();
  }

  /**
   * The configuration.
   *
   * @param small a tier that holds only a part of the segments, so that others are moved home or
   *     begin there; then, and where stores alone aren't durable, every append is forced
   */
  public String configuration(boolean small) {
    if (!mapped) {
      return """
          headpond.tiers=fast
          headpond.tier.fast.type=file
          headpond.tier.fast.paths=/home/fast
          headpond.durability=engine
          headpond.log.dirs=/home/logs
          """;
    }
    return """
        headpond.tiers=fast
        headpond.tier.fast.paths=/pmem/tier
        headpond.tier.fast.capacity=%s
        headpond.tier.fast.pool=%s
        headpond.durability=%s
        headpond.idle=3s
        headpond.log.dirs=/home/logs
        """
        .formatted(
            small ? "700KiB" : "40MiB",
            small ? "0" : "4MiB",
            small || backEnd.equals("msync") ? "append" : "engine");
  }

  @Override
  public String toString() {
    return "Java " + java + ", " + (mapped ? backEnd : "plain files that nobody forces");
  }
}
