// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.home;

import io.headpond.store.layout.DirectoryForce;
import java.io.IOException;
import java.nio.file.Path;

/** A ballast of some log directory that is taken and given back, step by step. */
public final class BallastSteps {
  /** The number of steps of all of it. */
  public static final int STEPS = Ballast.STEPS;

  private final Ballast ballast;

  /** Finds what an earlier process left. */
  public BallastSteps(final Path logDir, final long bytes) throws IOException {
    this(logDir, bytes, new DirectoryForce());
  }

  /** The same, where others force the directory, too. */
  public BallastSteps(final Path logDir, final long bytes, final DirectoryForce names)
      throws IOException {
    ballast = new Ballast(logDir, bytes, Long.MAX_VALUE, names);
  }

  /**
   * Takes what is missing, and gives one step back.
   *
   * @return bytes given back
   */
  public long takeAndGiveBack() throws IOException {
    ballast.trim();
    while (ballast.heldBytes() < ballast.wantedBytes()) {
      ballast.take();
    }
    return ballast.giveBack();
  }

  /** Deletes it, as one that is another user's. */
  public void remove() throws IOException {
    ballast.remove();
  }
}
