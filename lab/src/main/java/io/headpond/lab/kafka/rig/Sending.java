// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.PointRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.producer.Producer;

/**
 * The senders of one load, threads of this process, and what was answered to them. One thread
 * steers it; the senders and their producers tell it what happens.
 */
final class Sending {

  private static final long BUFFERS_BYTES = 64 << 20;
  private static final long BUFFER_BYTES_MIN = 8 << 20;
  private static final int FULL_SPEED_LINGER_MS = 5;

  private final SendingPlan plan;
  private final RecordRing ring;
  private final Consumer<Exception> failed;
  private final List<Producer<byte[], byte[]>> producers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong sentBytes = new AtomicLong();
  private final AtomicLong lateNanosMax = new AtomicLong();
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder acknowledgedBytes = new LongAdder();
  private final Recorder publish = new Recorder(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private final Recorder sendLag = new Recorder(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private volatile boolean going = true;
  private volatile boolean exhausted;
  private long lastMessages;
  private long lastBytes;

  /**
   * Opens the producers; nothing is sent yet.
   *
   * @param clientProperties for each of them anew
   * @param failed told of what means that figures mean nothing; any thread
   */
  Sending(
      SendingPlan plan,
      RecordRing ring,
      Supplier<Map<String, Object>> clientProperties,
      Consumer<Exception> failed) {
    this.plan = plan;
    this.ring = ring;
    this.failed = failed;
    long buffer = Math.max(BUFFER_BYTES_MIN, BUFFERS_BYTES / Math.max(1, plan.own()));
    int linger = plan.pace().fullSpeed() && plan.window() == 0 ? FULL_SPEED_LINGER_MS : 0;
    for (int i = 0; i < plan.own(); i++) {
      producers.add(
          plan.producers().open(clientProperties.get(), plan.messageBytes(), linger, buffer));
    }
  }

  /**
   * Starts the senders.
   *
   * @param startNanos by {@link System#nanoTime}, when the pace begins; nothing is sent before
   */
  void start(long startNanos) {
    for (int i = 0; i < producers.size(); i++) {
      int number = plan.first() + i;
      Sender sender = new Sender(this, producers.get(i), startNanos, number);
      Thread thread = new Thread(sender, "bench-sender-" + number);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  SendingPlan plan() {
    return plan;
  }

  RecordRing ring() {
    return ring;
  }

  String topic(long number) {
    return plan.topics().get((int) (number % plan.topics().size()));
  }

  boolean going() {
    return going;
  }

  /** True if so much more may be sent. */
  boolean room(int bytes) {
    exhausted |= sentBytes.addAndGet(bytes) > plan.bytesMax();
    return !exhausted;
  }

  /** A sender has begun so much after it should. */
  void began(long lateNanos) {
    lateNanosMax.accumulateAndGet(lateNanos, Math::max);
  }

  /** A message is sent so much after it was due. */
  void sends(long lateNanos) {
    sendLag.recordValue(within(lateNanos));
  }

  private static long within(long nanos) {
    return Math.min(Math.max(0, nanos), PointRun.LATENCY_MAX_NANOS);
  }

  void acknowledged(int bytes, long nanos) {
    publish.recordValue(within(nanos));
    acknowledged.increment();
    acknowledgedBytes.add(bytes);
  }

  void failed(Exception e) {
    failed.accept(e);
  }

  /** Messages acknowledged so far. */
  long messages() {
    return acknowledged.sum();
  }

  /** The delay of the sender that began last, nanoseconds. */
  long lateNanosMax() {
    return lateNanosMax.get();
  }

  /** The figures since the last call; nothing is read by senders. */
  LoadInterval interval() {
    long messages = acknowledged.sum();
    long bytes = acknowledgedBytes.sum();
    LoadInterval interval =
        new LoadInterval(
            messages - lastMessages,
            bytes - lastBytes,
            publish.getIntervalHistogram(),
            sendLag.getIntervalHistogram(),
            new Histogram(PointRun.DIGITS),
            0,
            0);
    lastMessages = messages;
    lastBytes = bytes;
    return interval;
  }

  boolean exhausted() {
    return exhausted;
  }

  /** The share that was sent of what may be, 0 to 1. */
  double spent() {
    return exhausted ? 1 : Math.min(1, sentBytes.get() / (double) plan.bytesMax());
  }

  /** Sends no more; what was sent is answered until the senders have {@link #ended}. */
  void stop() {
    going = false;
  }

  /** True if no sender runs, and so all that was sent is answered. */
  boolean ended() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  /** Waits until the senders have ended. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Ends it at once; what isn't answered yet is given up, as when the broker is gone. */
  void abandon() {
    stop();
    threads.forEach(Thread::interrupt);
    if (threads.isEmpty()) {
      producers.forEach(producer -> producer.close(Duration.ZERO));
    }
  }
}
