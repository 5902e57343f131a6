// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.store.PlainText;
import java.io.PrintWriter;

/**
 * Prints lines for people. Names that were found on a disk are somebody else's choice: they neither
 * begin a line of their own nor steer the terminal.
 */
public final class Lines extends PrintWriter {
  /** Prints to {@code out}. */
  public Lines(PrintWriter out) {
    super(out, true);
  }

  @Override
  public void println(String line) {
    super.println(PlainText.of(line));
  }
}
