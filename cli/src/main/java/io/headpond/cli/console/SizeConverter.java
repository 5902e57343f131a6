// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size with its unit ({@code 512B}, {@code 64MiB}, {@code 1.5GiB}) as bytes. */
public final class SizeConverter implements ITypeConverter<Long> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([A-Za-z]*)");

  @Override
  public Long convert(String text) {
    return parse(text);
  }

  /**
   * The size in bytes.
   *
   * @throws TypeConversionException for another unit than B, KiB, MiB, GiB, TiB, for no unit, for a
   *     fraction of a byte and for more than {@code Long.MAX_VALUE} bytes
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.strip());
    if (!matcher.matches()) {
      throw bad(text);
    }
    int shift = shift(matcher.group(2));
    if (shift < 0) {
      throw bad(text);
    }
    try {
      return new BigDecimal(matcher.group(1))
          .multiply(BigDecimal.valueOf(1L << shift))
          .longValueExact();
    } catch (ArithmeticException e) {
      throw bad(text);
    }
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "B" -> 0;
      case "KiB" -> 10;
      case "MiB" -> 20;
      case "GiB" -> 30;
      case "TiB" -> 40;
      default -> -1;
    };
  }

  private static TypeConversionException bad(String text) {
    return new TypeConversionException(
        "'" + text + "' is not a size: write a number with B, KiB, MiB, GiB or TiB, as in 64MiB");
  }
}
