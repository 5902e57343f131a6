// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real Chromium without a window, if {@code -Dheadpond.test.chromium=FILE} names one. */
public final class Browser {
  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Pattern VALUED =
      Pattern.compile("data-metric=\"([^\"]+)\" data-value=\"([^\"]+)\"");

  private Browser() {}

  /** The test isn't run without one. */
  public static void assumeNamed() throws IOException {
    Assumptions.assumeFalse(
        System.getProperty("headpond.test.chromium", "").isBlank(),
        "no -Dheadpond.test.chromium=FILE: the page isn't looked at");
    Files.createDirectories(PICTURES);
  }

  /** A port that nobody listens at, closed again before it is given out. */
  public static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** The live page of what is observed; waits until the port is open. */
  public static String url(final Observation observation) throws Exception {
    return "http://127.0.0.1:" + observation.httpAddress().getPort() + "/";
  }

  /** What the browser says on all its outputs, after three seconds of the page's time. */
  public static String browse(final String url, final String... options) throws Exception {
    final Path profile = Files.createTempDirectory("headpond-chromium");
    try {
      final List<String> command = new ArrayList<>();
      command.add(System.getProperty("headpond.test.chromium"));
      command.addAll(
          List.of(
              "--headless",
              "--no-sandbox",
              "--disable-gpu",
              "--disable-quic",
              "--no-first-run",
              "--disable-background-networking",
              "--disable-component-update",
              "--disable-sync",
              "--user-data-dir=" + profile,
              "--hide-scrollbars",
              "--force-prefers-reduced-motion",
              "--enable-logging=stderr",
              "--virtual-time-budget=3000"));
      command.addAll(List.of(options));
      command.add(url);
      final Programs.Run run = Programs.run("", command.toArray(String[]::new));
      assertThat(run.exitCode()).as(run.output()).isZero();
      // Errors of the script, and what the content security policy refused.
      assertThat(run.output()).doesNotContain(":CONSOLE");
      return run.output().replaceAll("(?s)<script>.*?</script>", "");
    } finally {
      remove(profile);
    }
  }

  private static void remove(final Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Of a page, wide and narrow, light and dark, with all open: {@code target/screenshots}. */
  public static void pictures(final String url, final String state) throws Exception {
    for (final String size : List.of("1440,2000", "360,3800")) {
      for (final boolean dark : List.of(false, true)) {
        final Path picture =
            PICTURES.resolve(state + "-" + size.split(",")[0] + (dark ? "-dark" : "") + ".png");
        Files.deleteIfExists(picture);
        browse(
            url + "#configuration", // opens what it lies in
            "--window-size=" + size,
            "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
            "--screenshot=" + picture.toAbsolutePath());
        assertThat(Files.size(picture)).isGreaterThan(10_000);
      }
    }
  }

  /** The values on the page, by the metric that each is of. */
  public static Map<String, Double> shown(final String dom) {
    final Map<String, Double> values = new HashMap<>();
    final Matcher matcher = VALUED.matcher(dom);
    while (matcher.find()) {
      values.put(matcher.group(1).replace("&quot;", "\""), Double.parseDouble(matcher.group(2)));
    }
    return values;
  }

  /** The same of {@code /metrics}. */
  public static Map<String, Double> scraped(final String url) throws Exception {
    final String text =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url + "metrics")).build(),
                BodyHandlers.ofString())
            .body();
    final Map<String, Double> values = new HashMap<>();
    text.lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              final int space = line.lastIndexOf(' ');
              values.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
            });
    return values;
  }
}
