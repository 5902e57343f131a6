// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The threads that grow files ahead of their writers: extend, zero, map and fault in the next chunk
 * before the writer needs it. Shared by all files of a device or a process; thread-safe.
 *
 * <p>The queue holds each file at most once and has a bound; a file that finds it full grows on its
 * writer's thread, which counts as a miss. So does each file while the system has no thread left;
 * one is asked for again now and then. {@link #close()} stops the threads promptly: the chunk in
 * work is abandoned at its next MiB, and files go on without run-ahead.
 */
public final class RunAhead implements AutoCloseable {
  private static final int QUEUE_FILES = 16_384;
  private static final long MAPPING_PAUSE_NANOS = 10_000_000_000L;

  /** A thread that the system didn't have is asked for again after so long. */
  private static final long START_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A file with background work. */
  interface Client {
    /** Does the work; must not throw. */
    void runAhead();

    /** The work was dropped: ask again if it is still wanted. */
    void runAheadDropped();
  }

  private static final Client STOP =
      new Client() {
        @Override
        public void runAhead() {}

        @Override
        public void runAheadDropped() {}
      };

  private final Background background;
  private final String threadName;
  private final int threadsMax;
  private final LongSupplier clock;
  private final BlockingQueue<Client> queue;
  private final List<Thread> threads = new ArrayList<>();
  private volatile int started;
  private volatile long startFailedNanos;
  private final LongAdder misses = new LongAdder();
  private volatile boolean closed;
  private volatile long mappingFailedNanos;
  private volatile boolean mappingFailed;

  /**
   * Starts the threads, as far as the system has some left.
   *
   * @param background makes them
   * @param threadName what thread dumps show, followed by the thread's number
   * @param threads how many, at least one
   */
  public RunAhead(Background background, String threadName, int threads) {
    this(background, threadName, threads, QUEUE_FILES, System::nanoTime);
  }

  RunAhead(
      Background background, String threadName, int threads, int queueFiles, LongSupplier clock) {
    if (threads < 1) {
      throw new IllegalArgumentException("run-ahead needs at least one thread, not " + threads);
    }
    this.background = background;
    this.threadName = threadName;
    this.threadsMax = threads;
    this.clock = clock;
    this.queue = new ArrayBlockingQueue<>(Math.max(queueFiles, threads));
    startMissing();
  }

  private synchronized void startMissing() {
    while (!closed && started < threadsMax) {
      Thread thread = background.loop(threadName + "-" + started, this::next);
      if (!background.start(thread)) {
        startFailedNanos = clock.getAsLong();
        return;
      }
      threads.add(thread);
      started = threads.size();
    }
  }

  /** Number of times a writer waited for a chunk or grew its file itself. */
  public long misses() {
    return misses.sum();
  }

  void countMiss() {
    misses.increment();
  }

  boolean closed() {
    return closed;
  }

  /** Queues the file's work; false if the queue is full or there are no threads. */
  boolean submit(Client client) {
    if (started < threadsMax && clock.getAsLong() - startFailedNanos >= START_PAUSE_NANOS) {
      startMissing();
    }
    return !closed && started > 0 && queue.offer(client);
  }

  /**
   * True for some seconds after a mapping failed. A refused mmap makes the JVM collect garbage and
   * try again; doing so for each of ten thousand files would stop the engine.
   */
  boolean mappingPaused() {
    return mappingFailed && System.nanoTime() - mappingFailedNanos < MAPPING_PAUSE_NANOS;
  }

  /** Begins a pause; true the first time in this object's life, when a warning is due. */
  synchronized boolean pauseMapping() {
    boolean first = !mappingFailed;
    mappingFailedNanos = System.nanoTime();
    mappingFailed = true;
    return first;
  }

  /** One file's work; if it fails, its writer grows the file itself. */
  private boolean next() {
    Client client;
    try {
      client = queue.take();
    } catch (InterruptedException e) {
      return true; // nobody but close() ends these threads
    }
    if (closed) {
      client.runAheadDropped();
      return false;
    }
    client.runAhead();
    return true;
  }

  /** Stops the threads and waits for them. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    for (int i = 0; i < threads.size(); i++) {
      queue.offer(
          STOP); // refused only by a queue that holds something for every thread to wake up by
    }
    join();
    for (Client client = queue.poll(); client != null; client = queue.poll()) {
      client.runAheadDropped();
    }
  }

  private void join() {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
