// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.speed;

import io.headpond.harness.kafka.KafkaNode;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Looks after a phase: that its broker lives, that nothing failed, and that somebody is told. */
public final class Watch {

  private static final long TICK_NANOS = 20_000_000;

  /** Told how a phase goes on. */
  public interface Listener {
    void progress(String text);
  }

  private final KafkaNode node;
  private final Listener listener;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /** Of the phases on {@code node}. */
  public Watch(KafkaNode node, Listener listener) {
    this.node = node;
    this.listener = listener;
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
    listener.progress(text);
    LockSupport.parkNanos(TICK_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Tells how it goes on. */
  public void progress(String text) {
    listener.progress(text);
  }
}
