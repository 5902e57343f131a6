// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Function;

/** One connection: a request's head, its answer, the end. The port's thread only. */
final class HttpConnection {
  /** More than any browser or scraper sends. */
  static final int HEAD_BYTES_MAX = 8 << 10;

  private final SocketChannel channel;
  private final long endNanos;
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES_MAX);
  private ByteBuffer answer;
  private boolean drained;

  /**
   * A connection that was accepted.
   *
   * @param endNanos when it is closed, whatever it is at
   */
  HttpConnection(final SocketChannel channel, final long endNanos) {
    this.channel = channel;
    this.endNanos = endNanos;
  }

  boolean late(final long nowNanos) {
    return nowNanos - endNanos >= 0;
  }

  /**
   * Goes on as far as the socket lets it.
   *
   * @return false when it is done
   */
  boolean proceed(final SelectionKey key, final Function<HttpRequest, HttpResponse> pages)
      throws IOException {
    if (answer == null && !read(pages)) {
      return false;
    }
    if (answer == null) {
      return true;
    }
    if (!drained) {
      channel.write(answer);
    }
    if (answer.hasRemaining()) {
      key.interestOps(SelectionKey.OP_WRITE);
      return true;
    }
    return drain(key);
  }

  /** False if the client has gone. */
  private boolean read(final Function<HttpRequest, HttpResponse> pages) throws IOException {
    final int before = head.position();
    if (channel.read(head) < 0) {
      return false;
    }
    final int end = end(head.array(), Math.max(0, before - 3), head.position());
    if (end >= 0) {
      final HttpRequest request = HttpRequest.parse(head.array(), end);
      answer =
          request == null
              ? HttpResponse.refused("400 Bad Request", "not an HTTP/1 request").bytes(true)
              : pages.apply(request).bytes(!request.method().equals("HEAD"));
    } else if (!head.hasRemaining()) {
      answer =
          HttpResponse.refused(
                  "431 Request Header Fields Too Large",
                  "a request has " + HEAD_BYTES_MAX + " bytes at most")
              .bytes(true);
    }
    return true;
  }

  /** The position of the empty line; negative if it isn't there yet. */
  private static int end(final byte[] bytes, final int from, final int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n'
          && (i + 1 < to && bytes[i + 1] == '\n'
              || i + 2 < to && bytes[i + 1] == '\r' && bytes[i + 2] == '\n')) {
        return i;
      }
    }
    return -1;
  }

  /** Throws away the rest of what the client sends: a reset would take the answer with it. */
  private boolean drain(final SelectionKey key) throws IOException {
    if (!drained) {
      drained = true;
      channel.shutdownOutput();
      key.interestOps(SelectionKey.OP_READ);
    }
    head.clear();
    return channel.read(head) >= 0;
  }

  void close() {
    try {
      channel.close();
    } catch (final IOException e) {
      return; // it is gone either way
    }
  }
}
