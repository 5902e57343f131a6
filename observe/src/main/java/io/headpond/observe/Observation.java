// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.pmem.Background;
import io.headpond.store.StoreClosedException;
import io.headpond.store.TieredStore;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observation of one store, or of whatever else is {@link Observed}: it takes the facts once a
 * second and shows them as beans, and at the HTTP port if one is configured.
 *
 * <p>Everything happens on a daemon thread of its own, so that it neither holds up nor ends the
 * engine. What can't be shown is logged and left out. The observation ends with the store, or when
 * it is closed.
 */
public final class Observation implements AutoCloseable {
  static final Logger LOG = LoggerFactory.getLogger("io.headpond.observe");

  private static final long LOOK_MS = 1_000;

  private final Looks<?> looks;
  private final Supplier<Beans<?>> makeBeans;
  private final Supplier<String> metrics;
  private final HttpSettings http;
  private final Function<InetAddress, Pages> pages;
  private final Thread thread;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Background background;
  private boolean begun;
  private Beans<?> beans;
  private volatile HttpPort port;

  private <F> Observation(
      final Observed<F> observed, final HttpSettings http, final Background background) {
    looks = observed.looks();
    makeBeans = () -> new Beans<>(observed.metrics(), observed.looks());
    metrics = () -> Scrape.text(observed.metrics(), observed.looks().now(), false);
    this.http = http;
    pages = bound -> Pages.of(observed, bound);
    this.background = background;
    thread = background.loop("headpond-observe", this::next);
  }

  private Observation begun() {
    if (!background.start(thread)) {
      started.countDown();
    }
    return this;
  }

  /**
   * Begins to observe a store, and returns at once.
   *
   * @param store owns its tiers
   */
  public static Observation start(final TieredStore store) {
    final StoreConfig config = store.config();
    final History history = new History(store::facts);
    return start(of(history, config), HttpSettings.of(config), store.background());
  }

  /** A store as it is observed. */
  static Observed<StoreFacts> of(final History history, final StoreConfig config) {
    return new Observed<>(
        Metrics.ALL,
        history,
        new StatusDocument(history, config),
        new PagePart(Observation.class, "store"));
  }

  /**
   * Begins to observe, and returns at once.
   *
   * @param observed is asked once a second, and when metrics are read
   * @param background makes the threads
   */
  public static <F> Observation start(
      final Observed<F> observed, final HttpSettings http, final Background background) {
    return new Observation(observed, http, background).begun();
  }

  /**
   * The address of the HTTP port, for tests; waits until it is known.
   *
   * @return null if none is configured, or it couldn't be opened
   */
  InetSocketAddress httpAddress() throws IOException, InterruptedException {
    started.await();
    return port == null ? null : port.address();
  }

  /** All metrics as {@code /metrics} has them, in Prometheus' text format. Any thread. */
  public String metrics() {
    return metrics.get();
  }

  /** One look; the first one begins to show what is seen. */
  private boolean next() {
    boolean more = true;
    try {
      more = !begun || !stop.await(LOOK_MS, TimeUnit.MILLISECONDS);
      if (more) {
        looks.look();
        show();
      }
    } catch (final StoreClosedException e) {
      LOG.debug("the store was closed", e);
      more = false;
    } catch (final InterruptedException e) {
      more = false;
    } finally {
      started.countDown();
    }
    if (!more) {
      end();
    }
    return more;
  }

  private void show() {
    if (!begun) {
      begun = true; // what of it fails isn't tried again: half of it may be there
      openPort();
      registerBeans();
    } else if (beans != null) {
      beans.update();
    }
  }

  private void registerBeans() {
    try {
      beans = makeBeans.get();
      beans.update();
    } catch (final LinkageError e) {
      ObserveCodes.NO_JMX.log(e.toString());
    }
  }

  private void openPort() {
    if (http.port() == 0) {
      return;
    }
    try {
      final InetAddress bind = InetAddress.getByName(http.bind());
      final Pages served = pages.apply(bind);
      port = new HttpPort(bind, http.port(), served, background);
      LOG.info("metrics: http://{}/ serves {}", spelled(port.address()), served);
    } catch (final IOException e) {
      http.refused(e).log();
    }
  }

  private static String spelled(final InetSocketAddress address) {
    final String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private void end() {
    try {
      if (beans != null) {
        beans.close();
      }
      if (port != null) {
        port.close();
      }
    } catch (final Exception e) {
      ObserveCodes.NOT_TAKEN_AWAY.log(e);
    }
  }

  /** Takes beans and port away. */
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
