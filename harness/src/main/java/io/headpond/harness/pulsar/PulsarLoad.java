// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.load.Fields;
import io.headpond.harness.load.HistogramText;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * The clients of one partitioned topic, in a process of their own with the class path of their
 * release: a publisher; a <em>stream</em>, that is an exclusive subscription, read by one consumer
 * in the order of publishing; and a <em>queue</em>, a shared subscription whose messages wait until
 * its consumers come, each message for one of them. They go on over the death and the restart of
 * bookie and broker, and remember, outside of all that is killed, what was acknowledged where. Safe
 * for use by several threads.
 */
public final class PulsarLoad extends PulsarClient {

  private static final Duration STANDSTILL_LIMIT = Duration.ofSeconds(60);
  private static final int POLL_MILLIS = 20;

  /**
   * Starts the process; it connects, and nothing is published yet. The broker must serve the topic.
   *
   * @param folder holds its settings and its output
   */
  public PulsarLoad(EngineRelease release, JavaHome java, Path folder, PulsarLoadSettings settings)
      throws IOException {
    super(release, java, folder, "LoadMain", Fields.encode(settings));
  }

  /** Publishes from now on. */
  public PulsarLoad publish() throws IOException, InterruptedException {
    ask("publish");
    return this;
  }

  /** Publishes no more, and waits until what was sent is answered. */
  public PulsarLoad stop() throws IOException, InterruptedException {
    ask("stop");
    await(figures -> !figures.publishing(), "acknowledging the last messages");
    return this;
  }

  /** Opens the queue's consumers; not safe to be called while the broker is down. */
  public PulsarLoad openQueue() throws IOException, InterruptedException {
    ask("queue");
    return this;
  }

  /** Waits until at least {@code messages} are acknowledged. */
  public PulsarLoad awaitAcknowledged(long messages) throws IOException, InterruptedException {
    await(figures -> figures.acknowledged() >= messages, "acknowledging");
    return this;
  }

  /** Waits until stream and queue have got everything that was acknowledged. */
  public PulsarLoad awaitConsumed() throws IOException, InterruptedException {
    await(figures -> figures.streamMissing() + figures.queueMissing() == 0, "consuming");
    return this;
  }

  /**
   * Reads every partition from its beginning, and compares each message's key and value with what
   * was sent, and its place with what the broker has acknowledged. The load must be stopped.
   */
  public PulsarReport verify() throws IOException, InterruptedException {
    ask("verify");
    await(PulsarFigures::readingDone, "reading the topic from its beginning");
    return Fields.decode(PulsarReport.class, ask("report"));
  }

  /** The figures so far. */
  public PulsarFigures figures() throws IOException, InterruptedException {
    return Fields.decode(PulsarFigures.class, ask("figures"));
  }

  /**
   * Time from the call of {@code sendAsync} to the acknowledgement of each message since the last
   * call, nanoseconds.
   */
  public Histogram latencyInterval() throws IOException, InterruptedException {
    return HistogramText.decode(ask("latency").get("latency"));
  }

  /** Waits as long as something goes on; what stands still for a minute is an error. */
  private void await(Predicate<PulsarFigures> condition, String what)
      throws IOException, InterruptedException {
    PulsarFigures last = figures();
    long progressNanos = System.nanoTime();
    while (!condition.test(last)) {
      Thread.sleep(POLL_MILLIS);
      PulsarFigures now = figures();
      if (!now.equals(last)) {
        progressNanos = System.nanoTime();
        last = now;
      } else if (System.nanoTime() - progressNanos > STANDSTILL_LIMIT.toNanos()) {
        throw new IOException(
            String.format(
                "%s stands still since %d s: %s", what, STANDSTILL_LIMIT.toSeconds(), last));
      }
    }
  }
}
