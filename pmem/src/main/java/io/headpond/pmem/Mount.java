// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A line of /proc/self/mountinfo (format: proc(5)).
 *
 * @param number the device's, as {@code 259:0}
 * @param mountPoint where it is mounted
 * @param type the file system's type
 * @param source what is mounted, as {@code /dev/nvme0n1}
 * @param options of the mount and of the file system
 */
record Mount(String number, String mountPoint, String type, String source, Set<String> options) {
  private static final Mount UNKNOWN = new Mount("none", "", "", "", Set.of());

  /** The mount that an absolute, real path lies on; all empty if the table doesn't tell. */
  static Mount of(Path real, Path mountInfo) throws IOException {
    List<String> lines;
    try {
      lines = List.of(Files.readString(mountInfo, StandardCharsets.ISO_8859_1).split("\n"));
    } catch (NoSuchFileException e) {
      return UNKNOWN;
    }
    Mount best = UNKNOWN;
    for (String line : lines) {
      Mount mount = parse(line);
      // A later line of the same place covers the earlier one.
      if (!mount.equals(UNKNOWN)
          && mount.mountPoint.length() >= best.mountPoint.length()
          && real.startsWith(real.getFileSystem().getPath(mount.mountPoint))) {
        best = mount;
      }
    }
    return best;
  }

  private static Mount parse(String line) {
    String[] fields = line.split(" ");
    int separator = List.of(fields).indexOf("-");
    if (separator < 5 || fields.length < separator + 2) {
      return UNKNOWN;
    }
    Set<String> options = new HashSet<>(List.of(fields[5].split(",")));
    options.addAll(List.of(fields[fields.length - 1].split(",")));
    String source = fields.length > separator + 2 ? unescape(fields[separator + 2]) : "";
    return new Mount(
        fields[2], unescape(fields[4]), fields[separator + 1], source, Set.copyOf(options));
  }

  /** True if it is mounted with that option. */
  boolean has(String option) {
    return options.contains(option);
  }

  /** The kernel writes blanks and backslashes as octal, and every other byte as it is. */
  private static String unescape(String field) {
    byte[] raw = field.getBytes(StandardCharsets.ISO_8859_1);
    byte[] out = new byte[raw.length];
    int length = 0;
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '\\' && i + 3 < raw.length) {
        out[length++] = (byte) Integer.parseInt(field.substring(i + 1, i + 4), 8);
        i += 3;
      } else {
        out[length++] = raw[i];
      }
    }
    return new String(out, 0, length, StandardCharsets.UTF_8);
  }
}
