// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import java.util.List;

/** What runs in the guest for a round. */
enum Setup {
  JAVA_17_JEP352("java17", "jep352", true, List.of()),
  JAVA_25_LIBPMEM("java25", "libpmem", true, List.of("--enable-native-access=ALL-UNNAMED")),
  JAVA_25_JEP352("java25", "jep352", true, List.of()),
  /** Here the JDK's cache-line write-back would crash the JVM: another back end must be chosen. */
  JAVA_25_WITHOUT_C2("java25", "msync", true, List.of("-XX:TieredStopAtLevel=1")),
  /** The control: plain files that nobody forces. */
  CONTROL_UNFORCED_FILES("java17", "jep352", false, List.of());

  private final String jre;
  private final String backEnd;
  private final boolean mapped;
  private final List<String> options;

  Setup(String jre, String backEnd, boolean mapped, List<String> options) {
    this.jre = jre;
    this.backEnd = backEnd;
    this.mapped = mapped;
    this.options = options;
  }

  /** The back end that must be chosen for the NVDIMM. */
  String backEnd() {
    return backEnd;
  }

  /** The command that starts a program of this package in the guest. */
  String java(Class<?> program) {
    return "/"
        + jre
        + "/bin/java -ea -Xmx160m -XX:+UseSerialGC -XX:+ErrorFileToStderr "
        + String.join(" ", options)
        + " -cp '/app/lib/*:/app/classes' "
        + program.getName();
  }

  /**
   * The configuration.
   *
   * @param small a tier that holds only a part of the segments, so that others are moved home or
   *     begin there; then, and where stores alone aren't durable, every append is forced
   */
  String configuration(boolean small) {
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
}
