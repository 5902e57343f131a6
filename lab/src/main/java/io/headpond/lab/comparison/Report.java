// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.util.List;
import java.util.Map;

/** The result of a benchmark: a record, whose components are its JSON. */
public interface Report {
  /** All figures with the values of their rounds. */
  List<Figure> figures();

  /** Versions of what was measured, by name; by default none but Headpond's own and Java's. */
  default Map<String, String> versions() {
    return Map.of();
  }

  /** The table for people: units in the headings, volatile devices called so. */
  String table();
}
