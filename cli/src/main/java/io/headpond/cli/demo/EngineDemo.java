// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;

/** The demo of one engine: what happens between making the folders and removing them. */
interface EngineDemo extends AutoCloseable {

  /** Bytes that must be free where the fast folder lies. */
  long fastBytes();

  /** Bytes that must be free at home. */
  long homeBytes();

  /** Says what comes, runs it, shows it, and says what was found. Called once. */
  DemoOutcome run(DemoPlace place, PrintWriter out) throws IOException, InterruptedException;

  /**
   * Kills every process that lives, and waits until it is gone. Also called beside {@link #run}, by
   * another thread (Ctrl-C), and more than once.
   */
  @Override
  void close() throws IOException;
}
