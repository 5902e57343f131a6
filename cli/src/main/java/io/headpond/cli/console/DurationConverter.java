// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a duration with its unit ({@code 500ms}, {@code 20s}, {@code 2m}, {@code 1h}, {@code 7d}).
 */
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|m|h|d)");

  @Override
  public Duration convert(String text) {
    return parse(text);
  }

  /**
   * The duration, to the millisecond.
   *
   * @throws TypeConversionException for no unit or another one than ms, s, m, h, d, and for a
   *     fraction of a millisecond
   */
  public static Duration parse(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    if (!matcher.matches()) {
      throw bad(text);
    }
    long unitMs =
        switch (matcher.group(2)) {
          case "ms" -> 1;
          case "s" -> 1_000;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          default -> 86_400_000;
        };
    try {
      return Duration.ofMillis(
          new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitMs)).longValueExact());
    } catch (ArithmeticException e) {
      throw bad(text);
    }
  }

  private static TypeConversionException bad(String text) {
    return new TypeConversionException(
        "'" + text + "' is not a duration: write a number with ms, s, m, h or d, as in 20s");
  }
}
