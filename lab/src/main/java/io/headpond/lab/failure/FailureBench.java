// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.process.EngineRelease;
import io.headpond.lab.comparison.BenchListener;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A cluster of three nodes of each variant, alive side by side; in each round every one of them
 * loses a node and gets it back. {@link #run} belongs to one thread; {@link #close} may be called
 * by another to end it: it kills the nodes and removes the directories.
 */
public final class FailureBench implements Closeable {

  private final FailureSettings settings;
  private final BenchListener<FailureTurn> listener;
  private final FailureClusters clusters;

  /**
   * Makes its directories, in folders of their own; nothing runs yet.
   *
   * @param release of the settings' engine
   */
  public FailureBench(
      FailureSettings settings, EngineRelease release, BenchListener<FailureTurn> listener)
      throws IOException {
    this.settings = settings;
    this.listener = listener;
    this.clusters = settings.engine().clusters(settings, release);
  }

  /** The place of each variant, and what its device keeps, in words. */
  public Map<String, String> places() throws IOException {
    return clusters.places();
  }

  /** Runs everything; the listener gets the figures. */
  public void run() throws IOException, InterruptedException {
    List<FailureCluster> all = clusters.start(listener::progress);
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int i = 0; i < all.size(); i++) {
        // The one that begins changes, so that none always comes after the same one.
        FailureCluster cluster = all.get((i + round - 1) % all.size());
        listener.finished(new FailureRun(settings, cluster, listener::progress).turn(round));
      }
    }
  }

  /** Kills the nodes that live, and removes all directories. */
  @Override
  public void close() throws IOException {
    clusters.close();
  }
}
