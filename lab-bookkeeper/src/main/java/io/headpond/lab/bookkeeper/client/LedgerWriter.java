// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import io.headpond.harness.load.DueTimes;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.bookkeeper.client.api.WriteHandle;

/**
 * Writes one ledger after the other. What a failing ledger didn't acknowledge is written again into
 * the next one.
 */
final class LedgerWriter implements Runnable {

  private static final long RETRY_NANOS = 50_000_000;
  private static final int CLOSE_SECONDS = 10;
  private static final long PARK_NANOS_MAX = 20_000_000;

  private final Load load;
  private final Semaphore window;
  private final Queue<Record> again = new ConcurrentLinkedQueue<>();
  private volatile boolean broken;
  private final DueTimes dueTimes;
  private long sentBytes;

  /**
   * @param index among the writers of the load, which take turns
   */
  LedgerWriter(Load load, int index) {
    this.load = load;
    this.dueTimes = load.pace().dueTimes(index, load.settings().writers());
    this.window = new Semaphore(load.settings().window());
  }

  /**
   * A record that is written as an entry.
   *
   * @param firstSentNanos when it was due, or else sent, by {@link System#nanoTime}, also if it is
   *     sent again; 0: not yet
   */
  private record Record(long id, byte[] content, long firstSentNanos) {}

  @Override
  public void run() {
    try {
      while (load.running()) {
        WriteHandle handle = open();
        if (handle != null) {
          write(handle);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A ledger; null if the load is stopped, or no bookie answers at the moment. */
  private WriteHandle open() throws InterruptedException {
    try {
      return load.create();
    } catch (ExecutionException | TimeoutException e) {
      load.failed(e.getCause() == null ? e : e.getCause());
      LockSupport.parkNanos(RETRY_NANOS);
      return null;
    }
  }

  private void write(WriteHandle handle) throws InterruptedException {
    Load.Begun begun = load.begun(handle.getId());
    broken = false;
    for (long n = 0; n < load.settings().entriesPerLedger() && load.running() && !broken; n++) {
      Record record = again.poll();
      if (record == null) {
        long due = awaitDue();
        if (!load.running()) {
          break;
        }
        long id = load.nextId();
        record = new Record(id, load.content(id), due);
      }
      window.acquire();
      send(handle, begun.ledger(), record);
      pace(record.content().length);
    }
    window.acquire(load.settings().window());
    window.release(load.settings().window());
    if (broken) {
      // A bookie that just died is still registered: without a pause hundreds of ledgers are begun.
      LockSupport.parkNanos(RETRY_NANOS);
    } else if (begun.number() % 2 == 0) {
      close(handle);
    }
  }

  /** Waits until the next add is due, and says when that was; 0 at once if there is no pace. */
  private long awaitDue() {
    if (load.pace().fullSpeed()) {
      return 0;
    }
    long due = load.startedNanos() + dueTimes.nextNanos();
    for (long left = due - System.nanoTime();
        left > 0 && load.running();
        left = due - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, PARK_NANOS_MAX));
    }
    return due;
  }

  private void send(WriteHandle handle, WrittenLedger ledger, Record record) {
    long sent = record.firstSentNanos() == 0 ? System.nanoTime() : record.firstSentNanos();
    handle
        .appendAsync(record.content())
        .whenComplete(
            (entry, error) -> {
              if (error == null) {
                ledger.acknowledged(entry, record.id());
                load.acknowledged(record.content().length, System.nanoTime() - sent);
              } else {
                broken = true;
                load.failed(error);
                again.add(new Record(record.id(), record.content(), sent));
              }
              window.release();
            });
  }

  private void close(WriteHandle handle) throws InterruptedException {
    try {
      handle.closeAsync().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      load.failed(e);
    }
  }

  private void pace(int bytes) {
    if (load.settings().bytesPerSecond() <= 0) {
      return;
    }
    sentBytes += bytes;
    double share = (double) load.settings().bytesPerSecond() / load.settings().writers();
    long ahead = (long) (sentBytes / share * 1e9) - (System.nanoTime() - load.startedNanos());
    if (ahead > 1_000_000) {
      LockSupport.parkNanos(ahead);
    }
  }
}
