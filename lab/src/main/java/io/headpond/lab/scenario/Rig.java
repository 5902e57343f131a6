// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.Settling;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One engine of one variant, which takes one load after the other. For one thread, but for {@link
 * #close}, which another one may call at any time to end everything.
 */
public interface Rig extends AutoCloseable {

  /** The variant that it is compared as. */
  ComparedVariant variant();

  /** Starts the engine; an error if it doesn't come up, with the end of what it said. */
  void start() throws IOException, InterruptedException;

  /**
   * Writes a point's backlog, waits until it lies where old data goes, and keeps it for all loads
   * that are to have as large a one. Engines without a backlog refuse.
   */
  default void store(Point point) throws IOException, InterruptedException {
    throw new IllegalArgumentException(variant() + " is sent to only: no backlog");
  }

  /**
   * Begins a load: makes what it is sent to, writes its backlog unless there is a stored one, and
   * lets its senders and readers loose.
   */
  RunningLoad begin(Point point) throws IOException, InterruptedException;

  /** Processor time of engine and load generator so far. */
  CpuTime cpu();

  /** The time for which the machine is idle when all that was sent to such engines is flushed. */
  default Duration quiet() {
    return Settling.BRIEF;
  }

  /** The state of the fast tier; empty for an engine that has none, or doesn't tell. */
  default Optional<TierState> tier() throws IOException {
    return Optional.empty();
  }

  /** An error if the engine has ended. */
  void check() throws IOException;

  /** Kills the engine and its clients if they live. */
  @Override
  void close() throws IOException;
}
