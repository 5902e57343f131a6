// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.process.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The ends of one producer's transactions, and what their records count as.
 *
 * <p>A broker confirms an end when it has decided it. Then it writes a marker into each partition,
 * and accepts records of the producer's next transaction once all are there. Kafka 4.3.1 loses the
 * markers if it is killed in between: at its next start a partition has no leader for an instant,
 * and it takes such a partition for a deleted one (KAFKA-20734). So the records of a confirmed
 * commit may be hidden, and those of a confirmed abort may be seen, with Headpond and without.
 * Hence the records of an end count only when the next transaction has begun, or when the
 * coordinator says that the end is complete, and no connection of the producer was closed since the
 * end was asked for. Otherwise nobody knows what has become of them.
 *
 * <p>For the thread of its producer.
 */
final class EndedTransactions {

  private static final Duration LIMIT = Patience.ofSeconds(60);
  private static final long PAUSE_NANOS = 5_000_000;
  private static final Set<TransactionState> COMPLETE =
      Set.of(TransactionState.COMPLETE_COMMIT, TransactionState.COMPLETE_ABORT);

  private final Workload workload;
  private final Producer<byte[], byte[]> producer;
  private final String transactionalId;
  private final List<Metric> closedConnections;
  private List<SentRecord> records = List.of();
  private boolean aborted;
  private double closedBefore;

  EndedTransactions(Workload workload, Producer<byte[], byte[]> producer, String transactionalId) {
    this.workload = workload;
    this.producer = producer;
    this.transactionalId = transactionalId;
    this.closedConnections =
        producer.metrics().values().stream()
            .filter(m -> m.metricName().name().equals("connection-close-total"))
            .map(m -> (Metric) m)
            .toList();
    if (closedConnections.isEmpty()) {
      throw new IllegalStateException("Kafka's producer doesn't count connections that are closed");
    }
  }

  /** Commits the open transaction, of these records. */
  void commit(List<SentRecord> sent) {
    double closed = closedConnections();
    producer.commitTransaction();
    ended(sent, false, closed);
  }

  /** Aborts the open transaction, of these records. */
  void abort(List<SentRecord> sent) {
    double closed = closedConnections();
    producer.abortTransaction();
    ended(sent, true, closed);
  }

  private void ended(List<SentRecord> sent, boolean abort, double closed) {
    records = sent;
    aborted = abort;
    closedBefore = closed;
  }

  /** The broker has acknowledged a record of the transaction after the last one that was ended. */
  void nextHasBegun() {
    if (closedConnections() == closedBefore) {
      for (SentRecord r : records) {
        if (aborted) {
          workload.acknowledgements().addAborted(r.id());
        } else {
          workload.acknowledged(r.metadata().partition(), r.metadata().offset(), r.id(), r.bytes());
        }
      }
    }
    records = List.of();
  }

  /** Waits until the last end is complete. */
  void awaitDone() {
    if (records.isEmpty()) {
      return;
    }
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Admin admin = Admin.create(workload.clientProperties())) {
      while (!records.isEmpty() && closedConnections() == closedBefore) {
        if (COMPLETE.contains(state(admin))) {
          nextHasBegun();
        } else if (System.nanoTime() > deadline) {
          throw new KafkaException(
              "the end of a transaction of " + transactionalId + " is not complete after " + LIMIT);
        } else {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  /** As the coordinator has it; UNKNOWN while none answers. */
  private TransactionState state(Admin admin) {
    try {
      return admin
          .describeTransactions(List.of(transactionalId))
          .description(transactionalId)
          .get(1, TimeUnit.SECONDS)
          .state();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException | TimeoutException e) {
      return TransactionState.UNKNOWN;
    }
  }

  private double closedConnections() {
    return closedConnections.stream().mapToDouble(m -> (double) m.metricValue()).sum();
  }
}
