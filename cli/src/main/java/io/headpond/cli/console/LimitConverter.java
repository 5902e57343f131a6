// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.harness.slowdisk.DiskLimit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the limit of a disk: {@code gp3}, {@code hdd}, or as in {@code 50MB/s,3000iops}. */
public final class LimitConverter implements ITypeConverter<DiskLimit> {
  /** Of an option that limits the disk of {@code --home}. */
  public static final String DESCRIPTION =
      "Limit the disk of --home: gp3 (125 MB/s, 3,000 IOPS), hdd (150 MB/s, 120 IOPS), or as in"
          + " 50MB/s,3000iops. A file system on a loop device takes its place. Needs root.";

  @Override
  public DiskLimit convert(String text) {
    try {
      return DiskLimit.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
