// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import io.headpond.store.event.PlainText;
import java.io.PrintWriter;

/**
 * Prints lines for people. Names found on a disk may be hostile: they can neither begin a line of
 * their own nor steer the terminal.
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
