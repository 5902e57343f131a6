// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.IOException;

/** One engine's run of a {@link JournalDemo}. */
interface JournalRun<R extends JournalOutcome> extends AutoCloseable {

  /** Runs it, once; Ctrl-C ends the JVM, whose hooks clean up. */
  R run() throws IOException, InterruptedException;

  /** Kills what lives, and waits until it is gone; also beside {@link #run}, and more than once. */
  @Override
  void close() throws IOException;
}
