// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One producer of a {@link Workload} and its thread's work. */
final class ProducerLoop implements Runnable {

  private static final int TRANSACTIONS_PER_ABORT = 16;
  private static final int BATCH_BYTES = 64 << 10;

  private final Workload workload;
  private final WorkloadSettings settings;
  private final int number;
  private Producer<byte[], byte[]> producer;
  private EndedTransactions ended;
  private long sentBytes;
  private long startedNanos;
  private long transactions;
  private volatile boolean broken;

  ProducerLoop(Workload workload, int number) {
    this.workload = workload;
    this.settings = workload.settings();
    this.number = number;
  }

  @Override
  public void run() {
    startedNanos = System.nanoTime();
    try {
      boolean more = true;
      while (more && workload.running()) {
        more = oneProducer();
      }
    } catch (InterruptException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Produces until there is nothing more to do (false) or this producer can't go on (true: take a
   * new one).
   */
  private boolean oneProducer() {
    broken = false;
    try {
      open();
      boolean more = true;
      while (more && workload.running() && !broken) {
        more = settings.transactionRecords() > 0 ? transaction() : sendOne();
      }
      producer.flush();
      if (ended != null) {
        ended.awaitDone();
      }
      return more;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      workload.failed(0, e);
      return true;
    } finally {
      boolean hurry = broken || Thread.currentThread().isInterrupted();
      close(hurry ? Duration.ZERO : Duration.ofSeconds(30));
      producer = null;
      ended = null;
    }
  }

  private void close(Duration patience) {
    try {
      if (producer != null) {
        producer.close(patience);
      }
    } catch (InterruptException e) {
      // The workload is being closed; what isn't answered counts as not acknowledged.
      Thread.currentThread().interrupt();
    }
  }

  private void open() {
    Map<String, Object> config = new HashMap<>(workload.clientProperties());
    config.put(ProducerConfig.ACKS_CONFIG, settings.acks());
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, settings.acks().equals("all"));
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, settings.compression());
    config.put(ProducerConfig.LINGER_MS_CONFIG, 2);
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, Math.max(BATCH_BYTES, settings.recordBytes() * 2));
    config.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        Math.max(settings.bufferBytes(), 4L * settings.recordBytes()));
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20);
    config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 120_000);
    if (settings.transactionRecords() > 0) {
      config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, workload.transactionalId(number));
    }
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    if (settings.transactionRecords() > 0) {
      ended = new EndedTransactions(workload, producer, workload.transactionalId(number));
      producer.initTransactions();
    }
  }

  private boolean sendOne() {
    long id = workload.takeId();
    if (id < 0) {
      return false;
    }
    byte[] key = workload.payload().key(id);
    byte[] value = workload.payload().value(id);
    int bytes = key.length + value.length;
    long sent = System.nanoTime();
    producer.send(
        new ProducerRecord<>(settings.topic(), key, value),
        (metadata, error) -> {
          if (error != null) {
            workload.failed(1, error);
            broken = true;
          } else {
            workload.answered(System.nanoTime() - sent);
            workload.acknowledged(metadata.partition(), metadata.offset(), id, bytes);
          }
        });
    pace(bytes);
    return true;
  }

  /**
   * A whole transaction. What its records count as, {@link EndedTransactions} knows once the next
   * one has begun.
   */
  private boolean transaction() {
    List<SentRecord> records = new ArrayList<>(settings.transactionRecords());
    producer.beginTransaction();
    boolean more = true;
    while (more && records.size() < settings.transactionRecords()) {
      more = sendInTransaction(records);
    }
    if (records.isEmpty()) {
      producer.abortTransaction();
      return false;
    }
    producer.flush();
    if (records.stream().anyMatch(r -> r.metadata() != null)) {
      ended.nextHasBegun();
    }
    if (records.stream().anyMatch(r -> r.metadata() == null)) {
      workload.failed(
          records.size(), new KafkaException("a transaction with failed records is given up"));
      producer.abortTransaction();
      return more;
    }
    if (++transactions % TRANSACTIONS_PER_ABORT == 0) {
      ended.abort(records);
    } else {
      ended.commit(records);
    }
    return more;
  }

  private boolean sendInTransaction(List<SentRecord> records) {
    long id = workload.takeId();
    if (id < 0) {
      return false;
    }
    byte[] key = workload.payload().key(id);
    byte[] value = workload.payload().value(id);
    SentRecord record = new SentRecord(id, key.length + value.length);
    records.add(record);
    long sent = System.nanoTime();
    producer.send(
        new ProducerRecord<>(settings.topic(), key, value),
        (metadata, error) -> {
          if (error == null) {
            workload.answered(System.nanoTime() - sent);
            record.acknowledged(metadata);
          }
        });
    pace(record.bytes());
    return true;
  }

  private void pace(int bytes) {
    if (settings.bytesPerSecond() <= 0) {
      return;
    }
    sentBytes += bytes;
    double share = (double) settings.bytesPerSecond() / settings.producers();
    long ahead = (long) (sentBytes / share * 1e9) - (System.nanoTime() - startedNanos);
    if (ahead > 1_000_000) {
      LockSupport.parkNanos(ahead);
    }
  }
}
