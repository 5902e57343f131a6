// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The kernel's limit of what was written to files and isn't on disk yet, for the whole machine.
 *
 * @param bytes at which writers wait; 0: {@code ratio} counts
 * @param backgroundBytes at which it is written back; 0: {@code backgroundRatio} counts
 * @param ratio percent of the memory that is free
 */
record DirtyPages(long bytes, long backgroundBytes, long ratio, long backgroundRatio) {

  /** The share that is written back in the background. */
  private static final int BACKGROUND = 4;

  private static final String BYTES = "dirty_bytes";
  private static final String BACKGROUND_BYTES = "dirty_background_bytes";
  private static final String RATIO = "dirty_ratio";
  private static final String BACKGROUND_RATIO = "dirty_background_ratio";

  /** The limits in force now. */
  static DirtyPages now(SystemFiles system) throws IOException {
    return new DirtyPages(
        number(system, BYTES),
        number(system, BACKGROUND_BYTES),
        number(system, RATIO),
        number(system, BACKGROUND_RATIO));
  }

  private static long number(SystemFiles system, String name) throws IOException {
    return Long.parseLong(SystemFiles.text(system.virtualMemory().resolve(name)));
  }

  /** The limits of a small container: {@code bytes}, written back from a quarter of it on. */
  static DirtyPages atMost(long bytes) {
    return new DirtyPages(bytes, bytes / BACKGROUND, 0, 0);
  }

  /** Makes it hold. */
  void set(SystemFiles system) throws IOException {
    setBackground(system);
    setBytes(system);
  }

  /** Makes it hold again where {@code set} does now; what somebody else has set since stays. */
  void restore(SystemFiles system, DirtyPages set) throws IOException {
    DirtyPages now = now(system);
    if (now.backgroundBytes == set.backgroundBytes) {
      setBackground(system);
    }
    if (now.bytes == set.bytes) {
      setBytes(system);
    }
  }

  // A number of bytes sets its percentage to 0 and the other way round; 0 bytes are refused.

  private void setBackground(SystemFiles system) throws IOException {
    set(system, BACKGROUND_BYTES, backgroundBytes, BACKGROUND_RATIO, backgroundRatio);
  }

  private void setBytes(SystemFiles system) throws IOException {
    set(system, BYTES, bytes, RATIO, ratio);
  }

  private static void set(
      SystemFiles system, String bytesName, long bytes, String ratioName, long ratio)
      throws IOException {
    Path file = system.virtualMemory().resolve(bytes == 0 ? ratioName : bytesName);
    SystemFiles.write(file, Long.toString(bytes == 0 ? ratio : bytes));
  }

  /** Puts it into a record under these names. */
  void put(Properties properties, String prefix) {
    properties.setProperty(prefix + BYTES, Long.toString(bytes));
    properties.setProperty(prefix + BACKGROUND_BYTES, Long.toString(backgroundBytes));
    properties.setProperty(prefix + RATIO, Long.toString(ratio));
    properties.setProperty(prefix + BACKGROUND_RATIO, Long.toString(backgroundRatio));
  }

  /** Takes it out of a record; null if there is none. */
  static DirtyPages of(Properties properties, String prefix) {
    if (properties.getProperty(prefix + BYTES) == null) {
      return null;
    }
    return new DirtyPages(
        Long.parseLong(properties.getProperty(prefix + BYTES)),
        Long.parseLong(properties.getProperty(prefix + BACKGROUND_BYTES)),
        Long.parseLong(properties.getProperty(prefix + RATIO)),
        Long.parseLong(properties.getProperty(prefix + BACKGROUND_RATIO)));
  }
}
