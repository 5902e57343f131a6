// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A directory was forced, and before that is known an entry in it has another name. */
final class RenamedAfterItsForce implements ModelDisk.Turns {
  final CountDownLatch forced = new CountDownLatch(1);
  final CountDownLatch renamed = new CountDownLatch(1);
  private final Path forces;

  RenamedAfterItsForce(final Path forces) {
    this.forces = forces;
  }

  @Override
  public void await(final ModelFaults.Call call, final Path path, final boolean made) {
    if (made
        && call == ModelFaults.Call.FORCE
        && path.equals(forces)
        && Thread.currentThread().getName().startsWith("headpond-names")) {
      forced.countDown();
      try {
        renamed.await();
      } catch (final InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
