// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.pmem.Background;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A small HTTP/1.1 server inside the engine: one thread, a fixed number of connections, one request
 * each, and a time for all of it.
 *
 * <p>Design note: the JDK's own server reads each request in a thread of its pool, so a handful of
 * clients that send slowly take all of them; and its limits of time and connections are properties
 * of the whole JVM, which belongs to the engine. Here a slow client costs {@link
 * HttpConnection#HEAD_BYTES_MAX}, and when there are {@link #CONNECTIONS_MAX}, the oldest goes.
 */
final class HttpPort implements AutoCloseable {
  static final int CONNECTIONS_MAX = 32;
  static final long CONNECTION_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long TICK_MS = 500;

  private final Function<HttpRequest, HttpResponse> pages;
  private final ServerSocketChannel server;
  private final Selector selector;
  private final Thread thread;

  /** In the order of their arrival. */
  private final Set<SelectionKey> connections = new LinkedHashSet<>();

  /** Did the last turn fail? On the thread only. */
  private boolean failing;

  private volatile int connectionCount;
  private volatile boolean closed;

  /**
   * Listens, and answers from then on.
   *
   * @param port zero: any free one
   * @param pages makes an answer, on the port's thread
   * @param background makes that thread
   * @throws IOException if the port is taken, or the address isn't this machine's
   */
  HttpPort(
      final InetAddress bind,
      final int port,
      final Function<HttpRequest, HttpResponse> pages,
      final Background background)
      throws IOException {
    this.pages = pages;
    server = open(bind);
    try {
      bind(server, new InetSocketAddress(bind, port));
      server.configureBlocking(false);
      selector = Selector.open();
      server.register(selector, SelectionKey.OP_ACCEPT);
    } catch (final IOException e) {
      server.close();
      throw e;
    }
    thread = background.loop("headpond-http", this::next);
    if (!background.start(thread)) {
      selector.close();
      server.close();
      throw new IOException("the system has no thread left to answer with");
    }
  }

  /** Of IPv4's own family where the address is: Java's socket for 0.0.0.0 takes IPv6's, too. */
  private static ServerSocketChannel open(final InetAddress bind) throws IOException {
    return bind instanceof Inet4Address
        ? ServerSocketChannel.open(StandardProtocolFamily.INET)
        : ServerSocketChannel.open();
  }

  /**
   * Opens the port as an engine does, and gives it back at once.
   *
   * @throws IOException if the port is taken, or the address isn't this machine's
   */
  static void probe(final InetAddress bind, final int port) throws IOException {
    try (ServerSocketChannel server = open(bind)) {
      bind(server, new InetSocketAddress(bind, port));
    }
  }

  /** Says of an address of IPv6 where Java has none what it says of any that isn't there. */
  static void bind(final ServerSocketChannel server, final InetSocketAddress address)
      throws IOException {
    try {
      server.bind(address);
    } catch (final UnsupportedAddressTypeException e) {
      throw new IOException("this Java has no IPv6 (java.net.preferIPv4Stack, or the system)", e);
    }
  }

  /** The address that it listens at. */
  InetSocketAddress address() throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }

  /** The number of connections. */
  int connections() {
    return connectionCount;
  }

  private boolean next() {
    try {
      serve();
      failing = false;
    } catch (final IOException e) {
      // Out of descriptors, most likely: the engine needs them more. Later there may be some.
      if (!failing) {
        ObserveCodes.PORT_HELD_UP.log(e);
      }
      failing = true;
      pause();
    }
    if (closed) {
      connections.forEach(key -> ((HttpConnection) key.attachment()).close());
    }
    return !closed;
  }

  private void serve() throws IOException {
    selector.select(TICK_MS);
    final Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
    while (ready.hasNext()) {
      final SelectionKey key = ready.next();
      ready.remove();
      if (key.isValid() && key.isAcceptable()) {
        accept();
      } else if (key.isValid()) {
        proceed(key);
      }
    }
    endLateOnes();
    connectionCount = connections.size();
  }

  private void accept() throws IOException {
    final SocketChannel channel = server.accept();
    if (channel == null) {
      return;
    }
    if (connections.size() >= CONNECTIONS_MAX) {
      end(connections.iterator().next());
    }
    channel.configureBlocking(false);
    final HttpConnection connection =
        new HttpConnection(channel, System.nanoTime() + CONNECTION_NANOS);
    connections.add(channel.register(selector, SelectionKey.OP_READ, connection));
  }

  private void proceed(final SelectionKey key) {
    boolean goesOn = false;
    try {
      goesOn = ((HttpConnection) key.attachment()).proceed(key, pages);
    } catch (final IOException gone) {
      goesOn = false;
    } catch (final RuntimeException e) {
      ObserveCodes.REQUEST_FAILED.log(e);
    } finally {
      if (!goesOn) {
        end(key);
      }
    }
  }

  private void end(final SelectionKey key) {
    connections.remove(key);
    ((HttpConnection) key.attachment()).close();
  }

  private void endLateOnes() {
    final long now = System.nanoTime();
    while (!connections.isEmpty()) {
      final SelectionKey oldest = connections.iterator().next();
      if (!((HttpConnection) oldest.attachment()).late(now)) {
        return;
      }
      end(oldest);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(TICK_MS);
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
    selector.close();
  }
}
