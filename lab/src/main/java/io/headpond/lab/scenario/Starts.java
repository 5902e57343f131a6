// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Rigs that are started afresh several times: compilers decide anew. Each start has processes,
 * folders and clusters of its own, made when those of the start before are gone. {@link #run}
 * belongs to one thread; {@link #close} may be called by another to end everything.
 */
public final class Starts implements Closeable {

  /** Makes the rigs of one start, the first of which is 0. */
  public interface Maker {
    Rigs make(int start) throws IOException;
  }

  /** The work on the rigs of one start. */
  public interface Work {
    void run(int start, List<Rig> rigs) throws IOException, InterruptedException;
  }

  private Rigs rigs;
  private boolean closed;

  /** Does {@code work} on the rigs of so many starts. */
  public void run(int number, Maker maker, Work work) throws IOException, InterruptedException {
    for (int start = 0; start < number; start++) {
      try (Rigs own = make(maker, start)) {
        work.run(start, own.start());
      }
    }
  }

  private synchronized Rigs make(Maker maker, int start) throws IOException, InterruptedException {
    if (closed) {
      throw new InterruptedException("the benchmark was closed");
    }
    rigs = maker.make(start);
    return rigs;
  }

  /** Closes the rigs of the present start; there is no other one. */
  @Override
  public void close() throws IOException {
    Rigs last;
    synchronized (this) {
      closed = true;
      last = rigs;
    }
    if (last != null) {
      last.close();
    }
  }
}
