// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuestOrdersTest {

  @Test
  void aGuestThatAsksTooEarlyIsToldToDoNothing() throws Exception {
    try (GuestOrders orders = new GuestOrders()) {
      String script = orders.script("/app/orders");
      Matcher url = Pattern.compile("http://10\\.0\\.2\\.2:(\\d+)/").matcher(script);
      assertThat(url.find()).isTrue();
      URI here = URI.create("http://127.0.0.1:" + url.group(1) + "/");
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(here).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).isEqualTo("none");
      assertThat(script).contains("done=none\n");
    }
  }
}
