// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.pmem.Background;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that wait for devices, apart for each device: one that hangs holds up nothing but itself.
 * Threads are made when they are needed; idle ones end. Any thread.
 *
 * @param <D> what stands for a device, such as a log directory or a tier directory
 */
public final class DeviceThreads<D> implements AutoCloseable {
  private final Background background;
  private final String name;
  private final int threadsMax;
  private final int queueMax;
  private final Map<D, ThreadPoolExecutor> pools = new ConcurrentHashMap<>();

  /**
   * Threads of one name.
   *
   * @param threadsMax for each device
   * @param queueMax tasks that wait for each device; beyond them the caller does the task
   */
  public DeviceThreads(
      final Background background, final String name, final int threadsMax, final int queueMax) {
    this.background = background;
    this.name = name;
    this.threadsMax = threadsMax;
    this.queueMax = queueMax;
  }

  /** The threads of one device. */
  public ThreadPoolExecutor of(final D device) {
    return pools.computeIfAbsent(device, each -> background.pool(name, threadsMax, queueMax));
  }

  /** Runs a task, unless one for the same device hasn't returned. */
  public void executeIfIdle(final D device, final Runnable task) {
    final ThreadPoolExecutor its = of(device);
    if (its.getActiveCount() == 0 && its.getQueue().isEmpty()) {
      its.execute(task);
    }
  }

  /** Takes no more tasks. Doesn't wait. */
  public void shutdown() {
    pools.values().forEach(ThreadPoolExecutor::shutdown);
  }

  /**
   * Finishes what is queued, then stops; waits a minute at most for each device.
   *
   * @throws InterruptedException while waiting; nothing is taken any more, and what is queued is
   *     still done
   */
  public void await() throws InterruptedException {
    shutdown();
    for (final ThreadPoolExecutor threads : pools.values()) {
      threads.awaitTermination(1, TimeUnit.MINUTES);
    }
  }

  /** As {@link #await}, but an interrupt is kept for later. */
  @Override
  public void close() {
    try {
      await();
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
