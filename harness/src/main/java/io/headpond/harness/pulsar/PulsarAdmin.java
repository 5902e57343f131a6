// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The few calls of Pulsar's REST interface that a load needs. Safe for use by several threads. */
public final class PulsarAdmin {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final String TOPICS = "/admin/v2/persistent/public/default/";
  private static final String FULL_NAME = "persistent://public/default/";
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .followRedirects(HttpClient.Redirect.NORMAL)
          .connectTimeout(ANSWER_LIMIT)
          .build();

  private final String webUrl;

  PulsarAdmin(String webUrl) {
    this.webUrl = webUrl;
  }

  /** True if the broker answers and has the namespace {@code public/default}. */
  boolean serves() throws InterruptedException {
    try {
      HttpResponse<String> response = send(request("/admin/v2/namespaces/public").GET());
      return response.statusCode() == 200 && response.body().contains("public/default");
    } catch (IOException e) {
      return false;
    }
  }

  /** Creates a partitioned topic of {@code public/default}; returns its full name. */
  public String createTopic(String name, int partitions) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(TOPICS + name + "/partitions")
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(Integer.toString(partitions)));
    require(send(request), "creating topic " + name);
    return FULL_NAME + name;
  }

  /** Creates a topic of {@code public/default} without partitions; returns its full name. */
  public String createTopic(String name) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(TOPICS + name).PUT(BodyPublishers.noBody());
    require(send(request), "creating topic " + name);
    return FULL_NAME + name;
  }

  /**
   * Deletes a topic without partitions, and its ledgers, whoever is connected to it.
   *
   * @param topic its full name
   */
  public void deleteTopic(String topic) throws IOException, InterruptedException {
    String name = shortName(topic);
    require(send(request(TOPICS + name + "?force=true").DELETE()), "deleting topic " + name);
  }

  /**
   * Deletes a partitioned topic, and its ledgers, whoever is connected to it.
   *
   * @param topic its full name
   */
  public void deletePartitionedTopic(String topic) throws IOException, InterruptedException {
    String name = shortName(topic);
    HttpRequest.Builder request = request(TOPICS + name + "/partitions?force=true").DELETE();
    require(send(request), "deleting topic " + name);
  }

  private static String shortName(String topic) {
    return topic.substring(topic.lastIndexOf('/') + 1);
  }

  /** Messages of a subscription that aren't acknowledged, over all partitions of a topic. */
  public long backlog(String topic, String subscription) throws IOException, InterruptedException {
    String name = shortName(topic);
    HttpResponse<String> response =
        send(request(TOPICS + name + "/partitioned-stats?getPreciseBacklog=true").GET());
    require(response, "asking for the statistics of topic " + name);
    JsonNode backlog =
        new ObjectMapper()
            .readTree(response.body())
            .at("/subscriptions/" + subscription + "/msgBacklog");
    if (!backlog.isNumber()) {
      throw new IOException("topic " + name + " has no subscription " + subscription);
    }
    return backlog.asLong();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(webUrl + path)).timeout(ANSWER_LIMIT);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static void require(HttpResponse<String> response, String what) throws IOException {
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          what + " failed with HTTP status " + response.statusCode() + ": " + response.body());
    }
  }
}
