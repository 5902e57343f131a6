// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import java.io.IOException;
import java.util.List;

/**
 * An engine, with Headpond or without, and its clients. One thread calls it, but for {@link
 * #compared} and {@link #close}; while {@link #restart} runs, another one may ask for {@link
 * #figures}.
 */
interface DemoSide extends AutoCloseable {

  /** Starts everything for the first time, and connects the clients. */
  void start() throws IOException, InterruptedException;

  /** Starts the load. */
  void produce() throws IOException, InterruptedException;

  /** Stops the load, and waits until everything that was sent is answered. */
  void pause() throws IOException, InterruptedException;

  /** Returns the figures of the load; the latencies are those since the last call. */
  SentFigures figures() throws IOException, InterruptedException;

  /** True if the load has written enough to show what happens to it. */
  default boolean wroteEnough() throws IOException {
    return true;
  }

  /** Kills the process that stores the records, by SIGKILL, and returns its number. */
  long kill() throws IOException, InterruptedException;

  /** Starts that process again, and waits until it serves clients. */
  void restart() throws IOException, InterruptedException;

  /** Reads everything back and compares it with what was acknowledged; the load is paused. */
  ContentReport compare() throws IOException, InterruptedException;

  /** Returns the number of records that {@link #compare} has read so far. */
  default long compared() {
    return 0;
  }

  /** Checks the files that it leaves, and returns what is wrong with them; it is the last call. */
  default List<String> check() throws IOException, InterruptedException {
    return List.of();
  }

  /** Returns the files in words: a title of at most 11 characters, two blanks and the text. */
  List<String> files() throws IOException;

  /** Returns the bytes that are stored on the fast device. */
  long fastBytes() throws IOException;

  /** Returns the end of what its processes have printed and logged. */
  String tail() throws IOException;

  /** Kills every process that lives, and waits until it is gone. */
  @Override
  void close() throws IOException;
}
