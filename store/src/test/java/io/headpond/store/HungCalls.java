// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiPredicate;

/** Calls of simulated devices that don't return until they are released. Any thread. */
final class HungCalls implements ModelDisk.Turns, AutoCloseable {
  private final BiPredicate<ModelFaults.Call, Path> hangs;
  private final CountDownLatch released = new CountDownLatch(1);
  private final Set<Thread> hung = ConcurrentHashMap.newKeySet();

  /**
   * Calls that hang from now on.
   *
   * @param hangs which calls, by their paths on the real file system
   */
  HungCalls(final ModelDisk disk, final BiPredicate<ModelFaults.Call, Path> hangs) {
    this.hangs = hangs;
    disk.schedule(this);
  }

  @Override
  public void await(final ModelFaults.Call call, final Path path, final boolean made) {
    if (!made && hangs.test(call, path)) {
      hang();
    }
  }

  @Override
  public void awaitSpace(final Path path) {
    await(ModelFaults.Call.SPACE, path, false);
  }

  private void hang() {
    final Thread me = Thread.currentThread();
    hung.add(me);
    boolean interrupted = false;
    while (true) {
      try {
        released.await();
        break;
      } catch (final InterruptedException e) {
        interrupted = true; // which a device doesn't care for
      }
    }
    hung.remove(me);
    if (interrupted) {
      me.interrupt();
    }
  }

  /** How many threads of such a name hang now. */
  long hanging(final String threadName) {
    return hung.stream().filter(thread -> thread.getName().startsWith(threadName)).count();
  }

  /** Lets all of them go on, and none hang any more. */
  @Override
  public void close() {
    released.countDown();
  }
}
