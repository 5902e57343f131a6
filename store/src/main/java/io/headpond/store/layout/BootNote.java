// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The start of the machine as the processes since then have seen it, by the clock of the first one.
 * Once a clock is set ahead, the kernel says that the machine started later, and what was written
 * before would be taken for older than the page cache. The note lies in a tier's lock file, which
 * needs no force: a machine that starts anew has another identifier.
 *
 * @param id the kernel's identifier of this start; empty: it gives none
 * @param ms milliseconds since 1970
 */
public record BootNote(String id, long ms) {
  /** A clock that was set at boot may have been wrong by this much before. */
  private static final long BOOT_MARGIN_MS = TimeUnit.MINUTES.toMillis(1);

  /** Begins the line of {@code /proc/stat} with the time of the boot, seconds since 1970. */
  private static final String BOOT_TIME = "btime ";

  private static final String FILE = "/proc/sys/kernel/random/boot_id";
  private static final Pattern LINE = Pattern.compile("\nboot ([0-9a-f-]{36}) (\\d{1,18})");

  /**
   * The note of a process that nothing was noted before.
   *
   * @param nowMs the present time, milliseconds since 1970
   */
  public static BootNote now(final FileSystem fileSystem, final long nowMs) {
    final long ms = bootMs(fileSystem, nowMs);
    try {
      return new BootNote(Files.readString(fileSystem.getPath(FILE)).trim(), ms);
    } catch (final IOException | RuntimeException none) {
      return new BootNote("", ms);
    }
  }

  /**
   * The time when the machine started, milliseconds since 1970, by {@code /proc/uptime} and {@code
   * /proc/stat} (proc(5)).
   *
   * @return as early as can be if nothing tells
   */
  public static long bootMs(final FileSystem fileSystem, final long nowMs) {
    try {
      return bootMs(
          Files.readString(fileSystem.getPath("/proc/uptime")),
          Files.readString(fileSystem.getPath("/proc/stat")),
          nowMs);
    } catch (final IOException | RuntimeException unknown) {
      return Long.MIN_VALUE;
    }
  }

  /**
   * The same by what the two files say. A container may have an uptime of its own (LXCFS), and the
   * page cache is the machine's: the earlier time counts.
   */
  static long bootMs(final String uptime, final String stat, final long nowMs) {
    final double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
    final long bootSeconds =
        stat.lines()
            .filter(line -> line.startsWith(BOOT_TIME))
            .mapToLong(line -> Long.parseLong(line.substring(BOOT_TIME.length())))
            .min()
            .orElseThrow();
    return Math.min(nowMs - (long) (seconds * 1000), TimeUnit.SECONDS.toMillis(bootSeconds))
        - BOOT_MARGIN_MS;
  }

  /** The same with what a lock file says of the processes before. */
  public BootNote after(final String lockText) {
    final Matcher line = LINE.matcher(lockText);
    return line.find() && line.group(1).equals(id)
        ? new BootNote(id, Math.min(ms, Long.parseLong(line.group(2))))
        : this;
  }

  /** The line behind the owner's in a lock file; empty if nothing can be noted. */
  public String line() {
    final String line = "\nboot " + id + " " + ms;
    return LINE.matcher(line).matches() ? line : "";
  }
}
