// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.util.List;
import java.util.function.Function;

/** The columns that a {@link JournalView} shows for both sides of one engine. */
interface JournalColumns<S extends JournalSide> {

  /** One figure of both. */
  record Row<S>(String name, Function<S, String> value) {}

  /** Of a row: its name and both figures. */
  String format();

  /** The figures, from the top. */
  List<Row<S>> rows(S disk, S fast);

  /** One side's figures in one line. */
  String line(S side);
}
