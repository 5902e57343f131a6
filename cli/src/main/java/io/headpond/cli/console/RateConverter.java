// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import picocli.CommandLine.ITypeConverter;

/**
 * Reads a rate in bytes per second: a size with its unit, {@code /s} is optional ({@code 500MiB},
 * {@code 2GiB/s}).
 */
public final class RateConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    String size = text.strip();
    return SizeConverter.parse(size.endsWith("/s") ? size.substring(0, size.length() - 2) : size);
  }
}
