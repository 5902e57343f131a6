// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A line of /proc/self/mountinfo (format: proc(5)).
 *
 * @param majorMinor the device number, as {@code 259:0}
 * @param mountPoint where it is mounted
 * @param type the file system's type
 */
record Mount(String majorMinor, String mountPoint, String type) {
  private static final Mount UNKNOWN = new Mount("", "", "");

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
    return new Mount(fields[2], unescape(fields[4]), fields[separator + 1]);
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
