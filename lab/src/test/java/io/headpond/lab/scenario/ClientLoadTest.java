// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.harness.load.LoadClient;
import io.headpond.harness.load.Pace;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ClientLoadTest {

  private static final Point POINT = Point.of(1024, 2).clients(2, 0);

  private final Client client = new Client();

  /** Has sent ten messages more whenever it is asked. */
  private static final class Client implements LoadClient {

    private final List<String> calls = new ArrayList<>();
    private SendingOrder order;
    private long acknowledged;
    private long failures;

    @Override
    public void start(SendingOrder newOrder) {
      order = newOrder;
      calls.add("start");
    }

    @Override
    public SentFigures figures() {
      acknowledged += 10;
      return new SentFigures(
          acknowledged, acknowledged * 1024, failures, new Histogram(3), "it was refused");
    }

    @Override
    public LoadClient stop() {
      calls.add("stop");
      return this;
    }

    @Override
    public void forget() {
      calls.add("forget");
    }
  }

  private ClientLoad begin(Point point) throws IOException, InterruptedException {
    return ClientLoad.begin(client, point, 1_000, 25 * 1024);
  }

  @Test
  void theWindowIsSharedByTheProducersAndBoundedInBytes() throws Exception {
    begin(POINT);
    assertThat(client.order).isEqualTo(new SendingOrder(1024, 2, 500, Pace.FULL_SPEED));
    begin(POINT.at(Pace.constant(100)));
    assertThat(client.order).isEqualTo(new SendingOrder(1024, 2, 5_000, Pace.constant(100)));
    begin(Point.of(1_000_000, 2).clients(100, 0));
    assertThat(client.order.window()).isEqualTo(1);
  }

  @Test
  void aPointsWindowIsKeptWhateverTheRigWouldLet() throws Exception {
    begin(Point.adds(1024, 16, 0, 2));
    assertThat(client.order).isEqualTo(new SendingOrder(1024, 1, 16, Pace.FULL_SPEED));
    begin(Point.adds(1024, 2_000, 0, 2));
    assertThat(client.order.window()).isEqualTo(2_000);
    begin(Point.adds(4 << 20, 16, 0, 2));
    assertThat(client.order.window()).as("64 MiB").isEqualTo(16);
    begin(Point.adds(1024, 16, 0, 2).clients(4, 0));
    assertThat(client.order.window()).as("shared by four").isEqualTo(4);
  }

  @Test
  void anIntervalIsWhatWasDoneSinceTheLastOne() throws Exception {
    try (ClientLoad load = begin(POINT)) {
      assertThat(load.interval().messages()).isEqualTo(10);
      assertThat(load.interval().bytes()).isEqualTo(10 * 1024);
      assertThat(load.spent()).isEqualTo(0.8);
      load.interval();
      assertThat(load.spent()).as("30 KiB were sent, of 25").isEqualTo(1);
    }
  }

  @Test
  void aFailureIsAnError() throws Exception {
    client.failures = 1;
    try (ClientLoad load = begin(POINT)) {
      assertThat(load.interval().messages()).as("failures before don't count").isEqualTo(10);
      client.failures++;
      assertThatThrownBy(load::interval)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it was refused");
    }
  }

  @Test
  void aFailureIsCountedByALoadThatIsToldSo() throws Exception {
    client.failures = 1;
    try (ClientLoad load = begin(POINT).countFailures()) {
      client.failures = 4;
      assertThat(load.interval().failures()).as("failures before don't count").isEqualTo(3);
      assertThat(load.interval().failures()).isZero();
    }
  }

  @Test
  void whatWasWrittenIsRemovedHoweverItEnds() throws Exception {
    begin(POINT).close();
    assertThat(client.calls).containsExactly("start", "stop", "forget");
    client.calls.clear();
    try (ClientLoad load = begin(POINT)) {
      load.stop();
    }
    assertThat(client.calls).containsExactly("start", "stop", "forget");
  }

  @Test
  void consumersAndABacklogAreRefused() {
    for (Point point : List.of(POINT.clients(1, 1), POINT.beside(1 << 20))) {
      assertThatThrownBy(() -> begin(point))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("sent to only");
    }
    assertThat(client.calls).isEmpty();
  }
}
