// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.cli.console.Progress;
import java.io.PrintWriter;

/** The listener of a campaign of power cuts. */
public interface CutsView {

  /** A line that stays: what a boot has found and done. */
  void line(String text);

  /** The campaign does this now; called often. */
  void progress(String text);

  /** On a terminal. */
  static CutsView of(PrintWriter out, Progress progress) {
    return new CutsView() {
      @Override
      public void line(String text) {
        progress.clear();
        out.println(text);
        out.flush();
      }

      @Override
      public void progress(String text) {
        progress.show(text);
      }
    };
  }
}
