// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.charset.Charset;
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
 * @param id of the mount
 * @param parent the mount that it is mounted on
 * @param number the device's, as {@code 259:0}
 * @param root the folder of the file system that is mounted
 * @param mountPoint where it is mounted
 * @param type the file system's type
 * @param source what is mounted, as {@code /dev/nvme0n1}
 * @param options of the mount and of the file system
 */
public record Mount(
    String id,
    String parent,
    String number,
    String root,
    String mountPoint,
    String type,
    String source,
    Set<String> options) {
  private static final Mount UNKNOWN = new Mount("", "", "none", "", "", "", "", Set.of());

  /** Of names, as the JVM makes paths of them. */
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name()));

  /** The mount that a directory lies on now; all empty if the kernel's table doesn't tell. */
  public static Mount of(Path directory) throws IOException {
    return of(directory.toRealPath(), directory.getFileSystem().getPath("/proc/self/mountinfo"));
  }

  /** The mount that an absolute, real path lies on; all empty if the table doesn't tell. */
  public static Mount of(Path real, Path mountInfo) throws IOException {
    List<String> lines;
    try {
      lines = List.of(Files.readString(mountInfo, StandardCharsets.ISO_8859_1).split("\n"));
    } catch (NoSuchFileException e) {
      return UNKNOWN;
    }
    String path = real.toString();
    List<Mount> above = lines.stream().map(Mount::parse).filter(m -> m.isAt(path)).toList();
    Mount best = UNKNOWN;
    for (Mount mount : above) {
      // A later line of the same place covers the earlier one.
      if (mount.mountPoint.length() >= best.mountPoint.length() && !mount.hidden(above)) {
        best = mount;
      }
    }
    return best;
  }

  /** True if a quota may leave less than what the file system names as free. */
  public boolean mayHaveQuota() {
    return type.equals("btrfs")
        || options.stream().anyMatch(each -> each.contains("quota") && !each.equals("noquota"));
  }

  /** True for the mount point, and for what has its name above it. */
  private boolean isAt(String path) {
    return path.startsWith(mountPoint)
        && !mountPoint.isEmpty()
        && (mountPoint.endsWith("/") || path.length() == mountPoint.length() || next(path) == '/');
  }

  private char next(String path) {
    return path.charAt(mountPoint.length());
  }

  /**
   * True if another mount lies over this one: at the same place, or above it on the way to it, be
   * it on the way to one of those that it is mounted on.
   *
   * @param above all mounts on the way to a path, this one too
   */
  private boolean hidden(List<Mount> above) {
    if (above.stream().anyMatch(upper -> upper.isOn(this) && upper.at(mountPoint))) {
      return true;
    }
    Mount lower = this;
    for (int i = 0; i < above.size() && lower != null; i++) {
      Mount at = lower;
      if (above.stream().anyMatch(upper -> upper.liesOnTheWayTo(at))) {
        return true;
      }
      lower = above.stream().filter(at::isOn).findFirst().orElse(null);
    }
    return false;
  }

  private boolean isOn(Mount lower) {
    return parent.equals(lower.id) && !id.equals(lower.id);
  }

  private boolean at(String path) {
    return mountPoint.equals(path);
  }

  /** True if it was mounted above another one's place on what that one is mounted on. */
  private boolean liesOnTheWayTo(Mount other) {
    return parent.equals(other.parent)
        && !id.equals(other.id)
        && !at(other.mountPoint)
        && isAt(other.mountPoint);
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
        fields[0],
        fields[1],
        fields[2],
        unescape(fields[3]),
        unescape(fields[4]),
        fields[separator + 1],
        source,
        Set.copyOf(options));
  }

  /**
   * True if nothing can be written there: it is mounted so, or the kernel made it so after an error
   * ({@code ro}; newer kernels show {@code emergency_ro} of such an ext4).
   */
  public boolean readOnly() {
    return has("ro") || has("emergency_ro");
  }

  /** True if it is mounted with that option. */
  boolean has(String option) {
    return options.contains(option);
  }

  /** True if it is mounted with an option that begins so. */
  boolean hasBeginning(String option) {
    return options.stream().anyMatch(each -> each.startsWith(option));
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
    return new String(out, 0, length, NAMES);
  }
}
