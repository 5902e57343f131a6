// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.load.Payload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Real producers that write records to one topic as fast as they are acknowledged, or at a given
 * rate, over restarts of the broker too, and the memory of what was acknowledged where. It can be
 * started again after it was stopped; ids go on then.
 */
public final class Workload implements AutoCloseable {

  private static final int ERRORS_KEPT = 10;
  private static final long IDS_UNKNOWN = 1_000_000;
  private static final long LATENCY_MAX_NANOS = 600_000_000_000L;

  private final WorkloadSettings settings;
  private final Map<String, Object> clientProperties;
  private final Payload payload;
  private final Acknowledgements acknowledgements;
  private final AtomicLong nextId = new AtomicLong();
  private final AtomicLong endId;
  private final LongAdder acknowledgedBytes = new LongAdder();
  private final LongAdder acknowledgedRecords = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger errorsKept = new AtomicInteger();
  private final Recorder latency = new Recorder(LATENCY_MAX_NANOS, 3);
  private final List<Thread> threads = new ArrayList<>();
  private final String transactionalId;
  private volatile boolean running;

  /**
   * @param clientProperties as {@link KafkaNode#clientProperties} gives them
   */
  public Workload(WorkloadSettings settings, Map<String, Object> clientProperties) {
    this.settings = settings;
    this.clientProperties = Map.copyOf(clientProperties);
    this.payload =
        new Payload(settings.seed(), settings.recordBytes(), settings.varied(), settings.keys());
    this.acknowledgements = new Acknowledgements(settings.partitions());
    this.endId = new AtomicLong(settings.recordsMax());
    this.transactionalId = settings.topic() + "-" + Long.toHexString(settings.seed());
  }

  /** Starts the producers. */
  public synchronized Workload start() {
    if (!threads.isEmpty()) {
      throw new IllegalStateException("the workload on " + settings.topic() + " runs already");
    }
    running = true;
    for (int i = 0; i < settings.producers(); i++) {
      Thread thread =
          new Thread(new ProducerLoop(this, i), "producer-" + settings.topic() + "-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    return this;
  }

  /** Allows {@code records} more than {@code recordsMax}; start it again after it ended. */
  public Workload more(long records) {
    endId.addAndGet(records);
    return this;
  }

  /** Waits until every record up to {@code recordsMax} was sent and answered. */
  public synchronized Workload await() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    running = false;
    return this;
  }

  /** Sends no more, and waits until what was sent is answered. */
  public Workload stop() throws InterruptedException {
    running = false;
    return await();
  }

  /**
   * Waits until at least {@code records} are acknowledged; an error if the producers end before.
   */
  public Workload awaitAcknowledged(long records) throws InterruptedException {
    while (acknowledgedRecords.sum() < records) {
      if (threads.stream().noneMatch(Thread::isAlive)) {
        throw new IllegalStateException(
            "producing to "
                + settings.topic()
                + " ended after "
                + acknowledgedRecords.sum()
                + " records: "
                + errors);
      }
      LockSupport.parkNanos(2_000_000);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return this;
  }

  /** The settings that it was made with. */
  public WorkloadSettings settings() {
    return settings;
  }

  /** Records the broker has acknowledged; with transactions those of committed ones. */
  public long acknowledgedRecords() {
    return acknowledgedRecords.sum();
  }

  /** Bytes of keys and values of these records, uncompressed. */
  public long acknowledgedBytes() {
    return acknowledgedBytes.sum();
  }

  /** Records that the broker has refused, or hasn't answered in time. Their fate is unknown. */
  public long failures() {
    return failures.sum();
  }

  /** The first error texts. */
  public List<String> errors() {
    return List.copyOf(errors);
  }

  /**
   * Time from the call of {@code send} to the acknowledgement of each record since the last call,
   * nanoseconds. It holds the wait in the producer's own buffer.
   */
  public Histogram latencyInterval() {
    return latency.getIntervalHistogram();
  }

  /** Keeps what was acknowledged so far in a file, for {@link #load}. */
  public void save(Path file) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(nextId.get());
      for (int partition = 0; partition < settings.partitions(); partition++) {
        long[] ids = acknowledgements.idsByOffset(partition);
        for (int offset = 0; offset < ids.length; offset++) {
          if (ids[offset] >= 0) {
            out.println(partition + " " + offset + " " + ids[offset]);
          }
        }
      }
    }
  }

  /**
   * Takes up what {@link #save} kept; before the first start. The file says at once that more ids
   * are in use: if this workload ends before it is saved, the next one sends others.
   */
  public void load(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    // What was sent since it was saved isn't known, and must not be sent again.
    nextId.set(Long.parseLong(lines.get(0)) + IDS_UNKNOWN);
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ");
      long id = Long.parseLong(words[2]);
      int bytes = payload.key(id).length + payload.value(id).length;
      acknowledged(Integer.parseInt(words[0]), Long.parseLong(words[1]), id, bytes);
    }
    save(file);
  }

  Map<String, Object> clientProperties() {
    return clientProperties;
  }

  Payload payload() {
    return payload;
  }

  Acknowledgements acknowledgements() {
    return acknowledgements;
  }

  boolean running() {
    return running;
  }

  /** The id of the next record to send; -1: there is none left. */
  long takeId() {
    long end = endId.get();
    long id = nextId.getAndUpdate(next -> Math.min(next + 1, end));
    return id < end ? id : -1;
  }

  String transactionalId(int producer) {
    return transactionalId + "-" + producer;
  }

  void answered(long nanos) {
    latency.recordValue(Math.min(Math.max(nanos, 1), LATENCY_MAX_NANOS));
  }

  void acknowledged(int partition, long offset, long id, int bytes) {
    acknowledgements.add(partition, offset, id);
    acknowledgedRecords.increment();
    acknowledgedBytes.add(bytes);
  }

  void failed(int records, Exception e) {
    failures.add(records);
    if (errorsKept.incrementAndGet() <= ERRORS_KEPT) {
      errors.add(e.toString());
    }
  }

  @Override
  public void close() {
    running = false;
    threads.forEach(Thread::interrupt);
  }
}
