// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Calls that no interrupt of the calling thread reaches. An interrupt closes a {@link
 * java.nio.channels.FileChannel}; the JDK's own way to prevent that isn't public.
 */
public final class Uninterrupted {
  private Uninterrupted() {}

  /**
   * Makes a call on a new thread, which nobody knows and so nobody interrupts. The calling thread
   * finds its interrupt afterwards.
   *
   * @param thread the new thread's name
   * @throws IOException as the call throws it
   */
  public static <T> T call(String thread, Callable<T> call) throws IOException {
    FutureTask<T> task = new FutureTask<>(call);
    try {
      Background.daemon(thread, task).start();
    } catch (OutOfMemoryError noThread) {
      task.run(); // an interrupt makes it fail, which is on the safe side
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException thrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return cause instanceof IOException e ? e : new IOException(cause);
  }
}
