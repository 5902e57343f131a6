// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.load.TopicCheck;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.Point;
import io.headpond.lab.scenario.PointRun;
import io.headpond.lab.scenario.RunningLoad;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/** The senders and readers of one point, threads of this process. */
public final class KafkaLoad implements RunningLoad {

  private static final long ARRIVAL_LIMIT_NANOS = 30_000_000_000L;

  private final KafkaRig rig;
  private final Point point;
  private final List<String> topics;
  private final Backlog backlog;
  private final Sending sending;
  private final List<Thread> readers = new ArrayList<>();
  private final LongAdder arrived = new LongAdder();
  private final LongAdder replayedBytes = new LongAdder();
  private final Recorder endToEnd = new Recorder(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
  private volatile boolean reading = true;
  private long lastReplayed;

  /**
   * Starts them; readers first, so that they miss nothing.
   *
   * @param topics that exist, for this load only
   * @param backlog to be read again and again; null: none
   */
  KafkaLoad(
      KafkaRig rig,
      Point point,
      Producers producers,
      RecordRing ring,
      List<String> topics,
      Backlog backlog) {
    this.rig = rig;
    this.point = point;
    this.topics = List.copyOf(topics);
    this.backlog = backlog;
    openReaders();
    this.sending =
        new Sending(
            new SendingPlan(
                topics,
                point.messageBytes(),
                producers,
                point.pace(),
                0,
                point.producers(),
                point.producers(),
                rig.pointBytesMax(),
                (int) Math.ceil(point.window() / (double) Math.max(1, point.producers())),
                point.consumers() > 0),
            ring,
            rig.node()::clientProperties,
            this::failed);
    readers.forEach(Thread::start);
    sending.start(System.nanoTime());
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

  boolean reading() {
    return reading;
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
    LoadInterval sent = sending.interval();
    long replayed = replayedBytes.sum();
    LoadInterval interval =
        new LoadInterval(
            sent.messages(),
            sent.bytes(),
            sent.publish(),
            sent.sendLag(),
            endToEnd.getIntervalHistogram(),
            replayed - lastReplayed,
            0);
    lastReplayed = replayed;
    return interval;
  }

  @Override
  public double spent() {
    return sending.spent();
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    sending.stop();
    sending.join();
    rig.requireTier();
    awaitArrival();
    reading = false;
    for (Thread reader : readers) {
      reader.join();
    }
    rig.check();
  }

  /** Reads what was sent to its only topic once, comparing every record; after {@link #stop}. */
  public void verify(String text) throws IOException {
    new TopicCheck(rig.node(), topics.get(0), point.partitions(), sending.ring(), rig.watch())
        .verify(text, sending.messages());
  }

  /** Lets one consumer read what was sent again and again; after {@link #verify}. */
  public RunningLoad reread() {
    return new KafkaReading(rig, KafkaRig.partitions(topics, point.partitions()));
  }

  /** Segments that were begun behind the first of each partition. */
  public int rolled() throws IOException {
    return segments(segment -> true) - topics.size() * point.partitions();
  }

  /** Bytes of its topics' logs, as the broker says; after {@link #stop}. */
  public long logBytes() throws IOException, InterruptedException {
    try (Admin admin = rig.node().admin()) {
      return admin
          .describeLogDirs(List.of(rig.node().id()))
          .allDescriptions()
          .get()
          .get(rig.node().id())
          .values()
          .stream()
          .flatMap(logDir -> logDir.replicaInfos().entrySet().stream())
          .filter(replica -> topics.contains(replica.getKey().topic()))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    } catch (ExecutionException e) {
      throw new IOException("the broker doesn't say how large its logs are", e);
    }
  }

  /** Segments outside the fast tier; 0 if the broker has none. */
  public int overflowed() throws IOException {
    return rig.broker().headpond() ? segments(segment -> !segment.linked()) : 0;
  }

  private int segments(Predicate<LogDirScan.Entry> which) throws IOException {
    Path logDir = rig.node().logDirs().get(0);
    int segments = 0;
    for (TopicPartition partition : KafkaRig.partitions(topics, point.partitions())) {
      segments +=
          (int)
              LogDirScan.segments(logDir.resolve(partition.toString())).stream()
                  .filter(which)
                  .count();
    }
    return segments;
  }

  /** Waits until all that was acknowledged has arrived, so that late arrivals count too. */
  private void awaitArrival() throws IOException, InterruptedException {
    if (point.consumers() == 0 || topics.isEmpty()) {
      return;
    }
    long deadline = System.nanoTime() + ARRIVAL_LIMIT_NANOS;
    while (arrived.sum() < sending.messages()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            String.format(
                "%d messages were acknowledged and %d arrived, %d s after the last was sent%n%s",
                sending.messages(),
                arrived.sum(),
                ARRIVAL_LIMIT_NANOS / 1_000_000_000,
                rig.node().tail()));
      }
      rig.watch().tick(rig.variant() + ": waiting for the last arrivals");
    }
  }

  @Override
  public void close() throws IOException {
    sending.stop();
    reading = false;
    if (!rig.node().running()) {
      // They would wait for a broker that is gone until their requests expire.
      sending.abandon();
    }
    try {
      sending.join();
      for (Thread thread : readers) {
        thread.join();
      }
      rig.remove(topics);
      if (backlog != null) {
        rig.remove(backlog);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a load ended");
    }
  }
}
