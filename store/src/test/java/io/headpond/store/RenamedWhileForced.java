// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Somebody is about to open a file, and finds that it, or its directory, has another name; who
 * renames it has yet to say so.
 */
final class RenamedWhileForced implements ModelDisk.Turns {
  final CountDownLatch opening = new CountDownLatch(1);
  final CountDownLatch renamed = new CountDownLatch(1);
  private final Path opens;
  private final Path renames;
  private volatile Thread opener;
  private volatile boolean opened;

  RenamedWhileForced(final Path opens, final Path renames) {
    this.opens = opens;
    this.renames = renames;
  }

  @Override
  public void await(final ModelFaults.Call call, final Path path, final boolean made) {
    try {
      if (call == ModelFaults.Call.OPEN && path.equals(opens) && opener == null) {
        opener = Thread.currentThread();
        opening.countDown();
        renamed.await();
        opened = true;
      } else if (call == ModelFaults.Call.RENAME && path.equals(renames) && made) {
        renamed.countDown();
        awaitOpener();
      }
    } catch (final InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Until it waits for us, or has given up. */
  private void awaitOpener() {
    while (!opened
        || opener.getState() == Thread.State.RUNNABLE
        || opener.getState() == Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
  }
}
