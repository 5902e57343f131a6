// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The resources that Ctrl-C closes, in one thread. The last one is closed first, so that engines
 * are gone before the disk below them is.
 */
final class Interruption {

  private static final Deque<Closeable> OPEN = new ArrayDeque<>();

  private Interruption() {}

  /** Lets Ctrl-C close {@code closeable} from now on, also if it is closed already. */
  static synchronized void closes(Closeable closeable) {
    if (OPEN.isEmpty()) {
      Runtime.getRuntime().addShutdownHook(new Thread(Interruption::closeAll, "bench-cleanup"));
    }
    OPEN.push(closeable);
  }

  private static synchronized void closeAll() {
    for (Closeable closeable : OPEN) {
      try {
        closeable.close();
      } catch (IOException e) {
        System.err.println("headpond-lab: not everything could be removed: " + e);
      }
    }
  }
}
