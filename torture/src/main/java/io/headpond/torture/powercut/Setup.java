// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.util.List;

/**
 * The set-up of the guest for a round.
 *
 * @param java feature release
 * @param backEnd that must be chosen for the tier
 * @param tier where segments go
 * @param options more arguments of the JVM
 */
public record Setup(int java, String backEnd, Tier tier, List<String> options) {
  /** The place of the segments. */
  public enum Tier {
    /** The NVDIMM. */
    NVDIMM("/pmem/tier"),
    /** The fast disk, where each append is promised. */
    DISK("/fast/tier"),
    /** The same, where nobody forces anything: the control. */
    UNFORCED("/fast/tier"),
    /** The same as {@link #DISK}, where no flush reaches the disk: the control of disks. */
    UNFLUSHED("/fast/tier"),
    /** The NVDIMM, where no flush or no fence of the store counts: the control of memory. */
    UNPERSISTED("/pmem/tier");

    /** Its directory in the guest. */
    final String directory;

    Tier(String directory) {
      this.directory = directory;
    }
  }

  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** The set-up that an operator would get with that Java. */
  static Setup best(int java) throws IOException {
    return java >= 22 && Programs.haveLibpmem() ? libpmem(java) : jep352(java);
  }

  /** Stores by libpmem, on Java 22 or newer. */
  public static Setup libpmem(int java) {
    return new Setup(java, "libpmem", Tier.NVDIMM, List.of(NATIVE_ACCESS));
  }

  /** The JDK's own write-back of cache lines. */
  public static Setup jep352(int java) {
    return new Setup(java, "jep352", Tier.NVDIMM, List.of());
  }

  /**
   * Here the cache-line write-back of Java 22 and newer would crash the JVM: nothing is mapped, and
   * each append is a write that forces itself, on DAX too.
   */
  public static Setup withoutC2(int java) {
    return new Setup(java, "dsync", Tier.NVDIMM, List.of("-XX:TieredStopAtLevel=1"));
  }

  /** The control: plain files that nobody forces. */
  public static Setup control(int java) {
    return new Setup(java, "write", Tier.UNFORCED, List.of());
  }

  /** A tier on a disk, where each append goes into blocks that were written before. */
  public static Setup disk(int java) {
    return new Setup(java, "dsync", Tier.DISK, List.of());
  }

  /**
   * A tier on a disk of which the guest doesn't know that it has a volatile cache: each append is
   * sent, and none is flushed.
   */
  public static Setup unflushed(int java) {
    return new Setup(java, "dsync", Tier.UNFLUSHED, List.of());
  }

  /** An NVDIMM that forgets, and programs whose flushes or fences count for nothing. */
  public static Setup unpersisted(int java) throws IOException {
    Setup best = best(java);
    return new Setup(java, best.backEnd, Tier.UNPERSISTED, best.options);
  }

  /** True if anything is promised. */
  boolean promising() {
    return tier == Tier.NVDIMM || tier == Tier.DISK;
  }

  /** The folder of a Java in the guest. */
  static String jre(int java) {
    return "java" + java;
  }

  /** True if the back end isn't the one of the first seconds of a JVM's life. */
  boolean matures() {
    return java >= 22 && backEnd.equals("jep352");
  }

  /** The command that starts a program of the guest. */
  public String command(Class<?> program) {
    return "/"
        + jre(java)
        + "/bin/java -ea -Dheadpond.internal.idle=3s -Xmx160m -XX:+UseSerialGC -XX:+ErrorFileToStderr "
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
    if (tier == Tier.UNFORCED) {
      return """
          headpond.tiers=fast
          headpond.tier.fast.paths=%s
          headpond.durability=engine
          headpond.log.dirs=/home/logs
          """
          .formatted(tier.directory);
    }
    boolean append = small || backEnd.equals("dsync");
    return """
        headpond.tiers=fast
        headpond.tier.fast.paths=%s
        headpond.tier.fast.capacity=%s
        headpond.durability=%s
        headpond.log.dirs=/home/logs
        """
        .formatted(tier.directory, small ? "700KiB" : "40MiB", append ? "append" : "engine");
  }

  @Override
  public String toString() {
    String what =
        switch (tier) {
          case UNFORCED -> "plain files that nobody forces";
          case UNFLUSHED -> backEnd + " on a disk that nobody flushes";
          case UNPERSISTED -> backEnd + ", of which not everything counts";
          default -> backEnd;
        };
    return "Java " + java + ", " + what;
  }
}
