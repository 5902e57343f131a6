// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.rig;

import io.headpond.bench.kafka.speed.Load;
import io.headpond.bench.kafka.speed.Producers;
import io.headpond.bench.kafka.speed.RecordRing;
import io.headpond.bench.load.DueTimes;
import io.headpond.bench.scenario.LoadInterval;
import io.headpond.bench.scenario.Point;
import io.headpond.bench.scenario.PointRun;
import io.headpond.bench.scenario.RunningLoad;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** The senders and readers of one point, threads of this process. */
final class KafkaLoad implements RunningLoad {

  private static final long BUFFERS_BYTES = 64 << 20;
  private static final long BUFFER_BYTES_MIN = 8 << 20;
  private static final int FULL_SPEED_LINGER_MS = 5;
  private static final long ARRIVAL_LIMIT_NANOS = 30_000_000_000L;

  private final KafkaRig rig;
  private final Point point;
  private final RecordRing ring;
  private final List<String> topics;
  private final Backlog backlog;
  private final List<Thread> senders = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final AtomicLong sentBytes = new AtomicLong();
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder acknowledgedBytes = new LongAdder();
  private final LongAdder arrived = new LongAdder();
  private final LongAdder replayedBytes = new LongAdder();
  private final Recorder publish = new Recorder(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private final Recorder endToEnd = new Recorder(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private volatile boolean sending = true;
  private volatile boolean reading = true;
  private volatile boolean exhausted;
  private long lastMessages;
  private long lastBytes;
  private long lastReplayed;

  /**
   * Starts them; readers first, so that they miss nothing.
   *
   * @param topics that exist, for this load only
   * @param backlog to be read again and again; null: none
   */
  KafkaLoad(
      KafkaRig rig, Point point, Load load, RecordRing ring, List<String> topics, Backlog backlog) {
    this.rig = rig;
    this.point = point;
    this.ring = ring;
    this.topics = List.copyOf(topics);
    this.backlog = backlog;
    openReaders();
    List<Producer<byte[], byte[]>> producers = new ArrayList<>();
    long buffer = Math.max(BUFFER_BYTES_MIN, BUFFERS_BYTES / Math.max(1, point.producers()));
    int linger = point.pace().fullSpeed() ? FULL_SPEED_LINGER_MS : 0;
    for (int i = 0; i < point.producers(); i++) {
      producers.add(Producers.open(rig.node().clientProperties(), load, linger, buffer));
    }
    long start = System.nanoTime();
    for (int i = 0; i < producers.size(); i++) {
      DueTimes due = point.pace().dueTimes(i, point.producers());
      Sender sender = new Sender(this, producers.get(i), due, start, i);
      senders.add(new Thread(sender, "bench-sender-" + i));
    }
    readers.forEach(Thread::start);
    senders.forEach(Thread::start);
  }

  private void openReaders() {
    List<TopicPartition> partitions = KafkaRig.partitions(topics, point.partitions());
    if (!topics.isEmpty()) {
      for (int i = 0; i < point.consumers(); i++) {
        readers.add(
            new Thread(new Tail(this, share(partitions, i, point.consumers())), "bench-tail-" + i));
      }
    }
    if (backlog != null) {
      List<TopicPartition> old = backlog.partitions();
      int replays = topics.isEmpty() ? Math.max(1, point.consumers()) : 1;
      for (int i = 0; i < replays; i++) {
        List<TopicPartition> own = share(old, i, replays);
        readers.add(new Thread(new Replay(this, backlog, own), "bench-replay-" + i));
      }
    }
  }

  private static List<TopicPartition> share(List<TopicPartition> all, int reader, int readers) {
    List<TopicPartition> own = new ArrayList<>();
    for (int i = reader; i < all.size(); i += readers) {
      own.add(all.get(i));
    }
    return own;
  }

  KafkaRig rig() {
    return rig;
  }

  Point point() {
    return point;
  }

  RecordRing ring() {
    return ring;
  }

  String topic(long number) {
    return topics.get((int) (number % topics.size()));
  }

  boolean sending() {
    return sending;
  }

  boolean reading() {
    return reading;
  }

  /** Whether so much more may be sent. */
  boolean room(int bytes) {
    exhausted |= sentBytes.addAndGet(bytes) > rig.pointBytesMax();
    return !exhausted;
  }

  void acknowledged(int bytes, long nanos) {
    publish.recordValue(Math.min(Math.max(0, nanos), PointRun.LATENCY_MAX_NANOS));
    acknowledged.increment();
    acknowledgedBytes.add(bytes);
  }

  void arrived(long nanos) {
    endToEnd.recordValue(Math.min(Math.max(0, nanos), PointRun.LATENCY_MAX_NANOS));
    arrived.increment();
  }

  void replayed(long bytes) {
    replayedBytes.add(bytes);
  }

  void failed(Exception e) {
    rig.watch().failed(e);
  }

  @Override
  public LoadInterval interval() throws IOException {
    rig.check();
    long messages = acknowledged.sum();
    long bytes = acknowledgedBytes.sum();
    long replayed = replayedBytes.sum();
    LoadInterval interval =
        new LoadInterval(
            messages - lastMessages,
            bytes - lastBytes,
            publish.getIntervalHistogram(),
            endToEnd.getIntervalHistogram(),
            replayed - lastReplayed);
    lastMessages = messages;
    lastBytes = bytes;
    lastReplayed = replayed;
    return interval;
  }

  @Override
  public boolean exhausted() {
    return exhausted;
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    sending = false;
    for (Thread sender : senders) {
      sender.join();
    }
    rig.requireTier();
    awaitArrival();
    reading = false;
    for (Thread reader : readers) {
      reader.join();
    }
    rig.check();
  }

  /** What was acknowledged must arrive, so that late arrivals count too. */
  private void awaitArrival() throws IOException, InterruptedException {
    if (point.consumers() == 0 || topics.isEmpty()) {
      return;
    }
    long deadline = System.nanoTime() + ARRIVAL_LIMIT_NANOS;
    while (arrived.sum() < acknowledged.sum()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            String.format(
                "%d messages were acknowledged and %d arrived, %d s after the last was sent%n%s",
                acknowledged.sum(),
                arrived.sum(),
                ARRIVAL_LIMIT_NANOS / 1_000_000_000,
                rig.node().tail()));
      }
      rig.watch().tick(rig.variant() + ": waiting for the last arrivals");
    }
  }

  @Override
  public void close() throws IOException {
    sending = false;
    reading = false;
    if (!rig.node().running()) {
      // They would wait for a broker that is gone until their requests expire.
      senders.forEach(Thread::interrupt);
    }
    try {
      for (Thread thread : senders) {
        thread.join();
      }
      for (Thread thread : readers) {
        thread.join();
      }
      removeTopics();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a load ended");
    }
  }

  private void removeTopics() throws IOException, InterruptedException {
    if (rig.node().running()) {
      for (String topic : topics) {
        rig.remove(topic);
      }
      if (backlog != null) {
        rig.remove(backlog);
      }
    }
  }
}
