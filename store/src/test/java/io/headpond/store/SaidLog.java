// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The lines of the store's log while it is open. */
final class SaidLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  SaidLog() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  /** The number of lines that hold some words. */
  long lines(final String words) {
    return said.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(words))
        .count();
  }

  @Override
  public String toString() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
