// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code headpond status --partition} beside a broker whose migration then does what it said. */
@Tag("extra")
class ExplainIT {
  private static final long SEED = Long.getLong("headpond.test.seed", System.nanoTime());
  private static final int RECORDS = 20_000;

  @Test
  void whatItSaysOfSegmentsIsWhatBecomesOfThem() throws Exception {
    System.out.println("seed " + SEED);
    try (Workspace workspace = Workspace.create("explain");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs")) {
      broker
          .node()
          .set("headpond.tier.fast.capacity", "24MiB")
          // Slow enough for a look before most of it is done.
          .set("headpond.migrate.bytes.per.second", "1MiB")
          .format()
          .start();
      Topics.create(broker.node(), "burst", 1, 1, Map.of("segment.bytes", "1048576"));
      Workload burst =
          broker.add(
              new Workload(
                  WorkloadSettings.of("burst", 1, SEED).recordsMax(RECORDS),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      burst.start().await();
      Map<String, JsonNode> said = explain(broker);
      Set<String> goingDown = where(said, "fast", "down");
      Set<String> staying = where(said, "fast", "stays");
      assertThat(goingDown).as("%s", said).hasSizeGreaterThan(2);
      assertThat(staying).as("%s", said).hasSizeGreaterThan(2);
      assertThat(said.get(goingDown.iterator().next()).get("reason").asText())
          .isEqualTo("above_threshold");
      Await.until("all of them have gone", () -> where(explain(broker), "fast", "down").isEmpty());
      Map<String, JsonNode> after = explain(broker);
      assertThat(goingDown).isSubsetOf(where(after, "home", "stays"));
      assertThat(staying).isSubsetOf(where(after, "fast", "stays"));
      broker.verifyRecords();
      broker.node().stop();
    }
  }

  /** What it says of each segment, by name. */
  private static Map<String, JsonNode> explain(HeadpondBroker broker) throws IOException {
    HeadpondBroker.Command command =
        HeadpondBroker.headpond("status", broker.logDirs(), "--partition", "burst-0", "--json");
    assertThat(command.exitCode()).as(command.output()).isZero();
    Map<String, JsonNode> said = new TreeMap<>();
    new ObjectMapper()
        .readTree(command.output())
        .at("/partition/segments")
        .forEach(segment -> said.put(segment.get("name").asText(), segment));
    return said;
  }

  private static Set<String> where(Map<String, JsonNode> said, String tier, String next) {
    Set<String> found = new TreeSet<>();
    said.forEach(
        (name, segment) -> {
          if (segment.get("tier").asText().equals(tier)
              && segment.get("next").asText().equals(next)) {
            found.add(name);
          }
        });
    return found;
  }
}
