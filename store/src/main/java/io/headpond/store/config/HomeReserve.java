// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

/**
 * The configured reserve of a home: bytes, or a share of the file system.
 *
 * @param amount bytes, or hundredths
 * @param percent is it a share?
 */
public record HomeReserve(long amount, boolean percent) {
  /** Parses {@code 5%} or {@code 20GiB}. */
  static HomeReserve parse(final String text) {
    final String trimmed = text.trim();
    if (trimmed.matches("\\d{1,2}\\s*%")) {
      return new HomeReserve(
          Long.parseLong(trimmed.substring(0, trimmed.length() - 1).trim()), true);
    }
    if (trimmed.endsWith("%")) {
      throw new IllegalArgumentException("'" + text + "' is not a share such as 5%");
    }
    try {
      return new HomeReserve(ConfigValues.bytes(trimmed), false);
    } catch (final IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + "; a share is written as 5%", e);
    }
  }

  /** Bytes, of a file system of that size. */
  public long bytes(final long totalBytes) {
    return percent ? totalBytes / 100 * amount : amount;
  }

  @Override
  public String toString() {
    return percent ? amount + "%" : amount + " B";
  }
}
