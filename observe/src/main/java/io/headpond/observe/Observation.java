// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.StoreConfig;
import io.headpond.store.TieredStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a store once a second, and shows it: as beans, and at the HTTP port if one is
 * configured.
 *
 * <p>Everything happens on a daemon thread of its own, so that nothing of it holds up or ends the
 * engine: what can't be shown is logged, and left out. It ends with the store.
 */
public final class Observation implements AutoCloseable {
  static final Logger LOG = LoggerFactory.getLogger("io.headpond.observe");

  private static final long LOOK_MS = 1_000;

  private final StoreConfig config;
  private final History history;
  private final Thread thread;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);
  private AutoCloseable beans = () -> {};
  private volatile HttpPort port;

  private Observation(final TieredStore store) {
    config = store.config();
    history = new History(store::facts);
    thread = new Thread(this::run, "headpond-observe");
    thread.setDaemon(true);
  }

  /**
   * Begins, and returns at once.
   *
   * @param store owns its tiers
   */
  public static Observation start(final TieredStore store) {
    final Observation observation = new Observation(store);
    observation.thread.start();
    return observation;
  }

  /**
   * Where the HTTP port listens, as soon as that is known; waits for it.
   *
   * @return null if none is configured, or it couldn't be opened
   */
  InetSocketAddress httpAddress() throws IOException, InterruptedException {
    started.await();
    return port == null ? null : port.address();
  }

  private void run() {
    try {
      history.look();
      registerBeans();
      openPort();
      started.countDown();
      while (!stop.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        history.look();
      }
    } catch (final IllegalStateException storeClosed) {
      LOG.debug("the store was closed", storeClosed);
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (final RuntimeException | LinkageError e) {
      ObserveCodes.METRICS_ENDED.log(e);
    } finally {
      started.countDown();
      end();
    }
  }

  private void registerBeans() {
    try {
      beans = Beans.register(history);
    } catch (final LinkageError e) {
      ObserveCodes.NO_JMX.log(e.toString());
    }
  }

  private void openPort() {
    if (config.httpPort() == 0) {
      return;
    }
    try {
      final InetAddress bind = InetAddress.getByName(config.httpBind());
      port = new HttpPort(bind, config.httpPort(), new Pages(history, config, bind));
      LOG.info("the live page, /metrics and /api/status: http://{}/", spelled(port.address()));
    } catch (final IOException e) {
      ObserveCodes.PORT_REFUSED.log(
          config.source(), config.httpPort(), config.httpBind(), e.toString());
    }
  }

  private static String spelled(final InetSocketAddress address) {
    final String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private void end() {
    try {
      beans.close();
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
