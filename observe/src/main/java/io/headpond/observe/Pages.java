// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fixed table of paths that the port serves. A path is compared as it came and never leads to a
 * file. One thread, the port's.
 */
final class Pages implements Function<HttpRequest, HttpResponse> {
  private static final Pattern SINCE = Pattern.compile("(?:since=(\\d{1,15}))?");

  private final SortedMap<String, Function<HttpRequest, HttpResponse>> pages;
  private final boolean loopback;

  private Pages(
      final InetAddress bound, final Map<String, Function<HttpRequest, HttpResponse>> pages) {
    loopback = bound.isLoopbackAddress();
    this.pages = new TreeMap<>(pages);
  }

  /**
   * The pages of something observed.
   *
   * @param bound where the port listens
   */
  static <F> Pages of(final Observed<F> observed, final InetAddress bound) {
    final LivePage page = new LivePage(observed.page());
    return new Pages(
        bound,
        Map.of(
            "/", request -> page.response(),
            "/metrics", request -> metrics(observed, request),
            "/api/status", request -> status(observed.status(), request)));
  }

  /** Their paths. */
  @Override
  public String toString() {
    return String.join(" ", pages.keySet());
  }

  @Override
  public HttpResponse apply(final HttpRequest request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return HttpResponse.refused("405 Method Not Allowed", "it can be read only")
          .with("Allow", "GET, HEAD");
    }
    if (loopback && !isLocal(request.header("host"))) {
      return HttpResponse.refused(
          "403 Forbidden",
          "the port listens to this machine only, and was asked by another name; set"
              + " headpond.http.bind to open it");
    }
    final Function<HttpRequest, HttpResponse> page = pages.get(request.path());
    return page == null
        ? HttpResponse.refused("404 Not Found", "there is " + this)
        : page.apply(request);
  }

  /**
   * A page of another origin whose name was made to lead here (DNS rebinding) shows by the name
   * that the browser asks for.
   */
  private static boolean isLocal(final String host) {
    final int port = host.lastIndexOf(':');
    final String name =
        (port > host.lastIndexOf(']') ? host.substring(0, port) : host).toLowerCase(Locale.ROOT);
    return name.isEmpty()
        || name.equals("localhost")
        || name.equals("[::1]")
        || name.matches("127(\\.\\d{1,3}){3}");
  }

  private static HttpResponse status(final StatusJson document, final HttpRequest request) {
    final Matcher since = SINCE.matcher(request.query());
    if (!since.matches()) {
      return HttpResponse.refused("400 Bad Request", "the query may be since=MILLISECONDS");
    }
    final String ms = since.group(1);
    return HttpResponse.ok(
        "application/json; charset=utf-8", document.json(ms == null ? 0 : Long.parseLong(ms)));
  }

  private static <F> HttpResponse metrics(final Observed<F> observed, final HttpRequest request) {
    final boolean open = request.header("accept").contains("application/openmetrics-text");
    return HttpResponse.ok(
        open ? Scrape.OPEN_METRICS : Scrape.PROMETHEUS,
        Scrape.text(observed.metrics(), observed.looks().now(), open));
  }
}
