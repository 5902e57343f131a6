// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.pmem.Background;
import io.headpond.store.StoreClosedException;
import io.headpond.store.TieredStore;
import io.headpond.store.event.BackgroundCodes;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observation of a store, or of a bookie's journals and entry logs. A daemon thread of its own
 * takes the facts once a second and shows them as beans, so it neither delays nor ends the engine.
 * The observation ends with the store, or when it is closed.
 */
public final class Observation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.headpond.observe");
  private static final long LOOK_MS = 1_000;

  private final Thread thread;
  private final CountDownLatch stop = new CountDownLatch(1);
  private boolean begun;

  private <F> Observation(
      final List<MetricGroup<F, ?>> table, final Supplier<F> facts, final Background background) {
    final Beans<F> beans = new Beans<>(table);
    thread = background.loop("headpond-observe", () -> look(beans, facts));
    background.start(thread);
  }

  /**
   * Begins to observe a store, and returns at once.
   *
   * @param store owns its tiers
   */
  public static Observation start(final TieredStore store) {
    return start(Metrics.ALL, store::facts, store.background());
  }

  /**
   * Begins to observe, and returns at once.
   *
   * @param facts is asked once a second
   * @param background makes the thread
   */
  public static <F> Observation start(
      final List<MetricGroup<F, ?>> table, final Supplier<F> facts, final Background background) {
    return new Observation(table, facts, background);
  }

  /** Waits for the next look, and takes it; false if there is none. */
  private <F> boolean look(final Beans<F> beans, final Supplier<F> facts) {
    try {
      final boolean over = stop.await(begun ? LOOK_MS : 0, TimeUnit.MILLISECONDS);
      begun = true;
      if (!over) {
        beans.update(facts.get());
        return true;
      }
    } catch (final StoreClosedException | InterruptedException e) {
      LOG.debug("the observation ends", e);
    }
    try {
      beans.close();
    } catch (final JMException e) {
      BackgroundCodes.BEANS_MISSING.log(e.toString());
    }
    return false;
  }

  /** Removes the beans. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
