// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Threads that work in the background of an engine. Every thread of the product is made here: a
 * daemon that survives whatever its work throws, also an {@link Error}. Each failure is counted and
 * reported, and the work is tried again. Any thread.
 *
 * <p>A memory shortage passes; a thread that it ended would be missed for the rest of the process's
 * life, and every figure that the thread keeps would look like that of a quiet day.
 */
public final class Background {
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** One round of work that is done over and over. */
  @FunctionalInterface
  public interface Turn {
    /**
     * Performs one round; may block until there is work.
     *
     * @return false: the work is over, and its thread ends
     */
    boolean next() throws Exception;
  }

  /** Report of failures to an operator. */
  @FunctionalInterface
  public interface Report {
    /**
     * Reports a failure: the first one, and then at most one a minute for each name.
     *
     * @param name of the thread
     * @param failures of all threads so far
     */
    void failed(String name, long failures, Throwable cause);
  }

  private final Report report;
  private final LongConsumer pause;
  private final Consumer<Thread> starting;
  private final AtomicLong failures = new AtomicLong();
  private final Map<String, Long> reportedNanos = new ConcurrentHashMap<>();

  /** Threads whose work isn't over. */
  private final Set<Thread> working = ConcurrentHashMap.newKeySet();

  /** Threads that report in one way. */
  public Background(Report report) {
    this(report, LockSupport::parkNanos);
  }

  /** The pause after a failure, nanoseconds, is for tests. */
  Background(Report report, LongConsumer pause) {
    this(report, pause, Thread::start);
  }

  private Background(Report report, LongConsumer pause, Consumer<Thread> starting) {
    this.report = report;
    this.pause = pause;
    this.starting = starting;
  }

  /**
   * Threads that {@link #start} begins in another way, for tests of a system that has none left.
   */
  public static Background startedBy(Consumer<Thread> starting, Report report) {
    return new Background(report, LockSupport::parkNanos, starting);
  }

  /** Number of failures of all threads. */
  public long failures() {
    return failures.get();
  }

  /** Number of threads that have ended although their work isn't over. */
  public long deadThreads() {
    return working.stream().filter(thread -> !thread.isAlive()).count();
  }

  /** A thread, not started yet, that takes turns until there are no more. */
  public Thread loop(String name, Turn turn) {
    return daemon(name, () -> turns(name, turn));
  }

  /**
   * Starts a thread whose work the caller can do without, because an engine that works must not end
   * for want of one more thread.
   *
   * @param thread not started yet
   * @return false: the system has no thread left, which is counted and reported; a new one may be
   *     tried later
   */
  public boolean start(Thread thread) {
    try {
      starting.accept(thread);
      return true;
    } catch (OutOfMemoryError noThread) {
      failed(thread.getName(), noThread);
      return false;
    }
  }

  private void turns(String name, Turn turn) {
    working.add(Thread.currentThread());
    long pauseNanos = PAUSE_NANOS_MIN;
    boolean more = true;
    while (more) {
      try {
        more = turn.next();
        pauseNanos = PAUSE_NANOS_MIN;
      } catch (Throwable e) {
        failed(name, e);
        pause.accept(pauseNanos);
        pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
      }
    }
    working.remove(Thread.currentThread());
  }

  /** A thread, not started yet, that does something once; for a shutdown hook. */
  public Thread once(String name, Runnable task) {
    return daemon(name, () -> attempt(name, task));
  }

  /** Threads for tasks, made when they are needed; idle ones end. */
  public ThreadPoolExecutor pool(String name, int threadsMax, int queueMax) {
    return new Pool(name, threadsMax, queueMax);
  }

  /** A thread for periodic tasks. */
  public Clock clock(String name) {
    return new Clock(name);
  }

  /** Counts a failure, and reports it if that is due. Never throws. */
  public void failed(String name, Throwable cause) {
    long count = failures.incrementAndGet();
    try {
      long now = System.nanoTime();
      Long before = reportedNanos.get(name);
      if (before == null || now - before > REPORT_NANOS) {
        reportedNanos.put(name, now);
        report.failed(name, count, cause);
      }
    } catch (Throwable noMemoryForWords) {
      return; // it is counted
    }
  }

  private void attempt(String name, Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      failed(name, e);
    }
  }

  /** A thread, not started yet, for a body that keeps what it throws to itself. */
  static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Tasks that throw are reported, which an executor of the JDK leaves to whoever asks. */
  private final class Pool extends ThreadPoolExecutor {
    private final String name;

    Pool(String name, int threadsMax, int queueMax) {
      super(
          threadsMax,
          threadsMax,
          30,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(queueMax),
          task -> daemon(name, task));
      this.name = name;
      allowCoreThreadTimeOut(true);
    }

    /**
     * Hands a task to a thread; where there is none and none can be made, and where the queue is
     * full, the caller does it.
     */
    @Override
    public void execute(Runnable task) {
      AtomicBoolean begun = new AtomicBoolean();
      Runnable surviving =
          () -> {
            if (!begun.getAndSet(true)) {
              attempt(name, task);
            }
          };
      try {
        super.execute(surviving);
      } catch (RejectedExecutionException full) {
        surviving.run();
      } catch (OutOfMemoryError noThread) {
        failed(name, noThread);
        surviving.run();
      }
    }
  }

  /** Periodic tasks on one thread; a task that throws runs again at its next time. */
  public final class Clock implements AutoCloseable {
    private final String name;
    private final ScheduledThreadPoolExecutor thread;

    private Clock(String name) {
      this.name = name;
      ThreadFactory factory = task -> daemon(name, task);
      thread = new ScheduledThreadPoolExecutor(1, factory);
    }

    /** Runs a task repeatedly, with a fixed delay between two runs. */
    @SuppressWarnings("FutureReturnValueIgnored") // what a run throws is told by attempt
    public void every(Runnable task, long first, long delay, TimeUnit unit) {
      thread.scheduleWithFixedDelay(() -> attempt(name, task), first, delay, unit);
    }

    /** Waits for what is under way, a minute at most. */
    @Override
    public void close() {
      thread.shutdown();
      try {
        thread.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
