// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The counts of power failures at which modules of persistent memory lost writes, as text: {@code
 * module=count}, separated by spaces. A log directory's identity notes them for each tier
 * directory; a bookie's directory has a file of its own.
 */
public final class ShutdownCounts {
  /** The file of a bookie's directory. */
  public static final String FILE_NAME = ".headpond.shutdowns";

  private static final String MODULES = "modules";
  private static final int FILE_BYTES_MAX = 1 << 16;

  private ShutdownCounts() {}

  /** The present counts of what is below a directory; empty if nothing counts, or shows it. */
  public static String of(final Device device) {
    return device.dirtyShutdowns().entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }

  /** True if a device has lost writes since its counts were noted, as far as both are known. */
  public static boolean changed(final String noted, final String now) {
    return !noted.isEmpty() && !now.isEmpty() && !now.equals(noted);
  }

  /** Reads the counts that a directory's file notes; empty if there is no file. */
  public static String noted(final Path directory) throws IOException {
    final Path file = directory.resolve(FILE_NAME);
    try {
      return PropertiesFile.read(file, FILE_BYTES_MAX).getProperty(MODULES, "");
    } catch (final NoSuchFileException none) {
      return "";
    } catch (final IllegalArgumentException e) {
      throw new DamagedFileException(file, e.getMessage());
    }
  }

  /** Replaces a directory's file, durably. */
  public static void note(final Path directory, final String counts) throws IOException {
    PropertiesFile.replace(directory.resolve(FILE_NAME), PropertiesFile.line(MODULES, counts));
  }
}
