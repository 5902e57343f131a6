// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.harness.slowdisk.DiskLimit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the limit of a disk: {@code gp3}, {@code hdd}, or as in {@code 50MB/s,3000iops}. */
public final class LimitConverter implements ITypeConverter<DiskLimit> {
  @Override
  public DiskLimit convert(String text) {
    try {
      return DiskLimit.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
