// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The numbers of shutdowns at which modules of persistent memory lost something, as the modules
 * count them.
 *
 * @param byModule by the module's identifier: letters, digits, dashes and underscores
 */
public record ShutdownCounts(Map<String, Long> byModule) {
  /** The file of a directory that has no identity: a bookie's journals. */
  public static final String FILE_NAME = ".headpond.shutdowns";

  private static final String MODULES = "modules";
  private static final int FILE_BYTES_MAX = 1 << 16;
  private static final Pattern COUNT = Pattern.compile("([\\w-]{1,64})=(\\d{1,18})");

  /** Sorted, and never changed. */
  public ShutdownCounts {
    byModule = Collections.unmodifiableMap(new TreeMap<>(byModule));
  }

  /** The present ones of what lies below a directory. */
  public static ShutdownCounts of(final Device device) {
    return new ShutdownCounts(device.dirtyShutdownsById());
  }

  /**
   * What {@link #text} has made.
   *
   * @throws IllegalArgumentException if it isn't that
   */
  static ShutdownCounts parse(final String text) {
    final Map<String, Long> counts = new TreeMap<>();
    for (final String each : text.trim().split(" +")) {
      final Matcher value = COUNT.matcher(each);
      if (value.matches()) {
        counts.put(value.group(1), Long.valueOf(value.group(2)));
      } else if (!each.isEmpty()) {
        throw new IllegalArgumentException("not 'module=count'");
      }
    }
    return new ShutdownCounts(counts);
  }

  /** {@code module=count}, separated by spaces. */
  String text() {
    return byModule.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }

  /** True if nothing counts here, or nothing shows it. */
  public boolean isEmpty() {
    return byModule.isEmpty();
  }

  /**
   * The counts that aren't as they were, for people. A module that wasn't known has none to
   * compare.
   *
   * @return empty if there are none
   */
  public String changesSince(final ShutdownCounts before) {
    return byModule.entrySet().stream()
        .filter(
            each ->
                !before
                    .byModule
                    .getOrDefault(each.getKey(), each.getValue())
                    .equals(each.getValue()))
        .map(
            each ->
                each.getKey()
                    + ": "
                    + before.byModule.get(each.getKey())
                    + " to "
                    + each.getValue())
        .collect(Collectors.joining(", "));
  }

  /**
   * Reads a directory's file.
   *
   * @return none if there is no file
   * @throws DamagedFileException if it isn't one of these
   */
  public static ShutdownCounts read(final Path directory) throws IOException {
    final Path file = directory.resolve(FILE_NAME);
    try {
      return parse(PropertiesFile.read(file, FILE_BYTES_MAX).getProperty(MODULES, ""));
    } catch (final NoSuchFileException none) {
      return new ShutdownCounts(Map.of());
    } catch (final IllegalArgumentException e) {
      throw new DamagedFileException(file, e.getMessage());
    }
  }

  /** Replaces a directory's file, durably. */
  public void write(final Path directory) throws IOException {
    PropertiesFile.replace(directory.resolve(FILE_NAME), PropertiesFile.line(MODULES, text()));
  }
}
