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
import java.nio.channels.FileChannel;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The page in a real browser, of a real store. Runs if {@code -Dheadpond.test.chromium=FILE} names
 * a Chromium; leaves pictures of what it saw in {@code target/screenshots}.
 */
class LivePageTest {
  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Pattern VALUED =
      Pattern.compile("data-metric=\"([^\"]+)\" data-value=\"([^\"]+)\"");

  @BeforeAll
  static void aBrowserIsNamed() throws IOException {
    Assumptions.assumeFalse(
        System.getProperty("headpond.test.chromium", "").isBlank(),
        "no -Dheadpond.test.chromium=FILE: the page isn't looked at");
    Files.createDirectories(PICTURES);
  }

  /** What the browser says on all its outputs, after three seconds of the page's time. */
  private static String browse(final String url, final String... options) throws Exception {
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

  private static void pictures(final String url, final String state) throws Exception {
    for (final String size : List.of("1440,1400", "360,2600")) {
      for (final boolean dark : List.of(false, true)) {
        final Path picture =
            PICTURES.resolve(state + "-" + size.split(",")[0] + (dark ? "-dark" : "") + ".png");
        Files.deleteIfExists(picture);
        browse(
            url,
            "--window-size=" + size,
            "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
            "--screenshot=" + picture.toAbsolutePath());
        assertThat(Files.size(picture)).isGreaterThan(10_000);
      }
    }
  }

  private static Map<String, Double> shown(final String dom) {
    final Map<String, Double> values = new HashMap<>();
    final Matcher matcher = VALUED.matcher(dom);
    while (matcher.find()) {
      values.put(matcher.group(1).replace("&quot;", "\""), Double.parseDouble(matcher.group(2)));
    }
    return values;
  }

  private static Map<String, Double> scraped(final String url) throws Exception {
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

  private static ObservedStore observed() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new ObservedStore()
          .with("headpond.http.port", String.valueOf(free.getLocalPort()))
          .with("headpond.tier.pmem.capacity", "8MiB");
    }
  }

  private static String url(final Observation observation) throws Exception {
    return "http://127.0.0.1:" + observation.httpAddress().getPort() + "/";
  }

  @Test
  void thePagesFiguresAreThoseOfTheMetricsAndAFullTierIsCalledFull() throws Exception {
    try (ObservedStore observed = observed();
        Observation observation = Observation.start(observed.store());
        FileChannel first = observed.append("orders-0", 0, 7 * ObservedStore.MIB);
        FileChannel second = observed.append("orders-0", 100, 2 * ObservedStore.MIB);
        FileChannel third = observed.append("orders-0", 200, 1_000)) {
      final String url = url(observation);
      final String dom = browse(url, "--dump-dom");
      final Map<String, Double> shown = shown(dom);
      assertThat(shown).hasSizeGreaterThanOrEqualTo(10);
      shown.remove("headpond_home_size_bytes"); // of all log directories together
      assertThat(scraped(url)).containsAllEntriesOf(shown);
      assertThat(dom)
          .contains(">live<", "no room for new segments: they go to home", "VOLATILE", "orders-0")
          .doesNotContain("NaN", "undefined", "Infinity");
      assertThat(List.of(first, second, third)).allMatch(FileChannel::isOpen);
      pictures(url, "full");
    }
  }

  @Test
  void anEmptyTierIsCalledSteady() throws Exception {
    try (ObservedStore observed = observed();
        Observation observation = Observation.start(observed.store())) {
      final String url = url(observation);
      assertThat(browse(url, "--dump-dom"))
          .contains(">live<", "steady", "Nothing moves now.", "Nothing that needs an operator")
          .doesNotContain("NaN", "undefined", "Infinity");
      pictures(url, "empty");
    }
  }

  @Test
  void aMoveIsShownWhileItGoesOn() throws Exception {
    try (ObservedStore observed =
            observed()
                .with("headpond.tier.pmem.capacity", "64MiB")
                .with("headpond.tier.pmem.migrate.threshold", "0.2")
                .with("headpond.migrate.bytes.per.second", "1MiB");
        Observation observation = Observation.start(observed.store());
        FileChannel first = observed.append("orders-0", 0, 40 * ObservedStore.MIB);
        FileChannel second = observed.append("orders-0", 100, ObservedStore.MIB)) {
      final String url = url(observation);
      assertThat(browse(url, "--dump-dom"))
          .contains("orders-0/00000000000000000000.log", "pmem \u2192 home", "1 under way");
      assertThat(List.of(first, second)).allMatch(FileChannel::isOpen);
      pictures(url, "migrating");
    }
  }
}
