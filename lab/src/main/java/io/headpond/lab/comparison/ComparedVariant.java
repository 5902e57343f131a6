// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** One of the things that a benchmark compares: a constant of an enum. */
public interface ComparedVariant {

  /** Its name on the command line and in results. */
  String key();

  /** Its place among them, by which tables are ordered. */
  int ordinal();

  /** Headpond's variant, then its baselines. */
  static <V extends ComparedVariant> List<V> withBaselines(
      V headpond, List<? extends V> baselines) {
    List<V> all = new ArrayList<>(List.of(headpond));
    all.addAll(baselines);
    return all;
  }

  /** The variant of that name. */
  static <V extends Enum<V> & ComparedVariant> V of(Class<V> variants, String key) {
    V[] all = variants.getEnumConstants();
    return Arrays.stream(all)
        .filter(v -> v.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(
                        "'%s' is no variant; there are %s",
                        key,
                        Arrays.stream(all)
                            .map(ComparedVariant::key)
                            .collect(Collectors.joining(", ")))));
  }
}
