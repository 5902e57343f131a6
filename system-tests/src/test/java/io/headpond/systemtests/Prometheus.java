// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Prometheus that scrapes one engine through the JMX exporter each second and evaluates the
 * rules of {@code conf/}; {@code -Dheadpond.test.prometheus=FILE} names the program.
 */
public final class Prometheus implements AutoCloseable {
  private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final ChildProcess process;
  private final String url;

  private Prometheus(ChildProcess process, int port) {
    this.process = process;
    url = "http://127.0.0.1:" + port;
  }

  /** The test isn't run without one. */
  public static void assumeNamed() {
    Assumptions.assumeFalse(
        System.getProperty("headpond.test.prometheus", "").isBlank(),
        "no -Dheadpond.test.prometheus=FILE: nothing is scraped");
  }

  /** The argument that lets a JVM serve its beans to Prometheus, by the rules of {@code conf/}. */
  public static String exporter(int port) {
    return "-javaagent:"
        + System.getProperty("headpond.jmx.exporter")
        + "=127.0.0.1:"
        + port
        + ":"
        + CONF.resolve("headpond-jmx-exporter.yml");
  }

  /**
   * Starts one.
   *
   * @param port of the engine's {@link #exporter}
   */
  public static Prometheus of(Workspace workspace, int port) throws Exception {
    Path folder = workspace.folder("prometheus");
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: ["%s"]
        scrape_configs:
          - job_name: headpond
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        """
            .formatted(CONF.resolve("headpond-rules.yml"), port));
    int own = Ports.free(1)[0];
    ChildProcess process =
        ChildProcess.start(
            "prometheus",
            List.of(
                System.getProperty("headpond.test.prometheus"),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + own),
            Map.of(),
            folder,
            folder.resolve("prometheus.log"));
    Prometheus started = new Prometheus(process, own);
    Await.until("the engine is scraped", started::scrapes);
    return started;
  }

  private boolean scrapes() throws Exception {
    assertThat(process.alive()).as("Prometheus: %s", process.tail(20)).isTrue();
    try {
      return query("up{job=\"headpond\"} == 1").size() == 1;
    } catch (IOException notListeningYet) {
      return false;
    }
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    String body =
        client
            .send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString())
            .body();
    JsonNode answer = JSON.readTree(body);
    assertThat(answer.at("/status").asText()).as("%s: %s", path, body).isEqualTo("success");
    return answer.get("data");
  }

  /** The series that a query has now. */
  public JsonNode query(String promql) throws IOException, InterruptedException {
    return get("/api/v1/query?query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8))
        .get("result");
  }

  /** All rules are loaded and evaluated without an error; the state of each alert, by name. */
  public void assertThatRulesAreEvaluated() throws Exception {
    Await.until("every rule was evaluated", () -> rules("unknown").isEmpty());
    assertThat(rules("err")).isEmpty();
    assertThat(rules("ok")).hasSizeGreaterThan(10);
  }

  private List<String> rules(String health) throws Exception {
    List<String> found = new ArrayList<>();
    for (JsonNode group : get("/api/v1/rules").get("groups")) {
      for (JsonNode rule : group.get("rules")) {
        if (rule.get("health").asText().equals(health)) {
          found.add(rule.get("name").asText() + ": " + rule.path("lastError").asText());
        }
      }
    }
    return found;
  }

  /** {@code inactive}, {@code pending} or {@code firing}. */
  public String state(String alert) throws Exception {
    for (JsonNode group : get("/api/v1/rules").get("groups")) {
      for (JsonNode rule : group.get("rules")) {
        if (rule.get("name").asText().equals(alert)) {
          return rule.get("state").asText();
        }
      }
    }
    throw new AssertionError("no rule " + alert);
  }

  /** Every query of a dashboard has series, with all its instances chosen. */
  public void assertThatEveryQueryHasSeries(String dashboard) throws Exception {
    int queries = 0;
    for (JsonNode panel : JSON.readTree(CONF.resolve(dashboard).toFile()).get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        String promql = target.get("expr").asText().replace("$instance", ".*");
        Await.until(panel.get("title").asText() + ": " + promql, () -> !query(promql).isEmpty());
        queries++;
      }
    }
    assertThat(queries).isGreaterThan(10);
  }

  @Override
  public void close() {
    process.close();
  }
}
