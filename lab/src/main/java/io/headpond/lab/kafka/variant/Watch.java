// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.variant;

import io.headpond.harness.kafka.KafkaNode;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Looks after a phase: that its broker lives, that nothing failed, and that somebody is told. */
public final class Watch {

  private static final long TICK_NANOS = 20_000_000;

  private final KafkaNode node;
  private final Consumer<String> progress;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /**
   * Of the phases on {@code node}.
   *
   * @param progress told how a phase goes on
   */
  public Watch(KafkaNode node, Consumer<String> progress) {
    this.node = node;
    this.progress = progress;
  }

  /** Something that must not happen while measuring; the first is kept. Any thread. */
  public void failed(Exception e) {
    failure.compareAndSet(null, e);
  }

  /** An error if anything failed or the broker has ended. */
  public void check() throws IOException {
    Exception e = failure.get();
    if (e != null) {
      throw new IOException(
          "a request failed while measuring, so the figures mean nothing: " + e, e);
    }
    if (!node.running()) {
      throw new IOException("the broker ended while it was measured\n" + node.tail());
    }
  }

  /** Waits a moment, and checks. */
  public void tick(String text) throws IOException, InterruptedException {
    check();
    progress.accept(text);
    LockSupport.parkNanos(TICK_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Tells how it goes on. */
  public void progress(String text) {
    progress.accept(text);
  }
}
