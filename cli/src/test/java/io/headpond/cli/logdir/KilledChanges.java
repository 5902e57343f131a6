// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

/** Ends after so many changes, as a process that is killed does. */
final class KilledChanges extends LogDirChanges {
  private int left;

  /** The end of the process. */
  static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  KilledChanges(int changes) {
    left = changes;
  }

  @Override
  void next() {
    if (left-- == 0) {
      throw new KilledException();
    }
  }
}
