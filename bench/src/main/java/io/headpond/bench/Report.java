// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench;

/** What a benchmark measured: a record, whose components are its JSON. */
public interface Report {
  /** For people: units in the headings, volatile devices called so. */
  String table();
}
