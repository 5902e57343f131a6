// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One run of a benchmark that Ctrl-C may end at any time: its engines are killed first, so that
 * nothing writes into what is removed then.
 */
final class InterruptibleRun {

  /** The work of a benchmark. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  private final Closeable bench;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Lets Ctrl-C close {@code bench} from now on. */
  InterruptibleRun(Closeable bench) {
    this.bench = bench;
    Interruption.closes(this::interrupted);
  }

  private void interrupted() throws IOException {
    if (ended.compareAndSet(false, true)) {
      bench.close();
    }
  }

  /** Does {@code work}; false if Ctrl-C has ended it. From then on Ctrl-C closes nothing. */
  boolean run(Work work) throws IOException, InterruptedException {
    try {
      work.run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (ended.get()) {
        return false; // the failure is that of an engine killed by the hook
      }
      throw e;
    }
    ended.set(true);
    return true;
  }
}
