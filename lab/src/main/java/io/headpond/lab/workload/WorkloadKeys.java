// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The keys of one file, asked for by name and type; which ones were asked for is remembered. */
final class WorkloadKeys {

  private static final int TEXT_MAX = 1_000;

  private final Path file;
  private final Map<?, ?> values;
  private final TreeSet<String> known = new TreeSet<>();

  WorkloadKeys(Path file, Map<?, ?> values) {
    this.file = file;
    this.values = values;
  }

  /** A number that must be there. */
  int whole(String key, int min, int max) throws IOException {
    if (value(key) == null) {
      throw refusal(key, "is missing", "add the line '" + key + ": N'");
    }
    return whole(key, min, max, 0);
  }

  /** A number from {@code min} to {@code max}. */
  int whole(String key, int min, int max, int standard) throws IOException {
    Object value = value(key);
    if (value == null) {
      return standard;
    }
    if (!(value instanceof Integer || value instanceof Long || value instanceof BigInteger)) {
      throw refusal(key, shown(value) + " isn't a whole number", "write " + min + " to " + max);
    }
    BigInteger number = new BigInteger(value.toString());
    if (number.compareTo(BigInteger.valueOf(min)) < 0
        || number.compareTo(BigInteger.valueOf(max)) > 0) {
      throw refusal(
          key, "is " + shown(value), "it goes from " + min + " to " + max + ", correct it");
    }
    return number.intValueExact();
  }

  /** A number from 0 to 1. */
  double share(String key, double standard) throws IOException {
    Object value = value(key);
    if (value == null) {
      return standard;
    }
    double share = value instanceof Number number ? number.doubleValue() : Double.NaN;
    if (!(share >= 0 && share <= 1)) {
      throw refusal(key, shown(value) + " isn't a share", "write a number from 0 to 1");
    }
    return share;
  }

  boolean yes(String key, boolean standard) throws IOException {
    Object value = value(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Boolean yes) {
      return yes;
    }
    throw refusal(key, shown(value) + " is neither true nor false", "write one of them");
  }

  /** Empty if it is missing or empty. */
  Optional<String> text(String key) throws IOException {
    Object value = value(key);
    if (value == null || value.equals("")) {
      return Optional.empty();
    }
    if (value instanceof String text && text.length() <= TEXT_MAX) {
      return Optional.of(text);
    }
    throw refusal(key, "isn't text of at most " + TEXT_MAX + " characters", "write such text");
  }

  private Object value(String key) {
    known.add(key);
    return values.get(key);
  }

  /** Refuses what nobody has asked for: it would be left out without a word. */
  void refuseUnknown() throws IOException {
    for (Object key : values.keySet()) {
      if (!(key instanceof String) || !known.contains(key)) {
        throw refusal(
            shown(key),
            "isn't a key of a workload",
            "take it out; there are " + String.join(", ", known));
      }
    }
  }

  /** The refusal of a key, with the remedy. */
  IOException refusal(String key, String cause, String remedy) {
    return new IOException(file + ": " + key + ": " + cause + "; " + remedy);
  }

  /** As much of a value as belongs in a message. */
  private static String shown(Object value) {
    String text = String.valueOf(value);
    String line = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    return value instanceof Number ? line : "'" + line + "'";
  }
}
