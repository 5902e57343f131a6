// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Matrix;
import io.headpond.systemtests.Matrix.Place;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rolls, clean restarts and SIGKILL while producers write with acks=all and in transactions.
 *
 * <p>{@code -Dheadpond.crash.kills=N} kills the current Kafka more often, {@code
 * -Dheadpond.crash.all=true} every one of Kafka's releases on every Java, {@code .ci/matrix} those
 * that it fetched. {@code -Dheadpond.crash.tier=file} takes a tier that is written instead of a
 * mapped one.
 */
class KafkaCrashIT {

  private static final int KILLS = Integer.getInteger("headpond.crash.kills", 1);
  private static final String TIER = System.getProperty("headpond.crash.tier", "pmem");
  private static final boolean ALL = Boolean.getBoolean("headpond.crash.all");

  private static final Map<String, String> SMALL_SEGMENTS = Map.of("segment.bytes", "1048576");

  /** If all are wanted, the current Kafka on every Java there is, older ones on the oldest Java. */
  static Stream<Arguments> kafkasAndJavas() throws IOException {
    if (Matrix.asked()) {
      return Matrix.runs(Engine.KAFKA)
          .map(run -> Arguments.of(run.version(), run.java(), run.release(), KILLS, run.place()));
    }
    EngineRelease current = Engine.KAFKA.current();
    if (!ALL) {
      return Stream.of(
          Arguments.of(current.version(), JavaHome.current(), current, KILLS, Place.usual()));
    }
    List<JavaHome> javas = JavaHome.installed();
    List<Arguments> all = new ArrayList<>();
    for (JavaHome java : javas) {
      all.add(Arguments.of(current.version(), java, current, KILLS, Place.usual()));
    }
    // Kafka 3.9 and 4.0 don't run on what came after Java 23.
    if (javas.get(0).feature() <= 21) {
      all.add(Arguments.of("4.0", javas.get(0), Engine.KAFKA.find("4.0"), 1, Place.usual()));
      all.add(Arguments.of("3.9", javas.get(0), Engine.KAFKA.find("3.9"), 1, Place.usual()));
    }
    return all.stream();
  }

  @ParameterizedTest(name = "Kafka {0} on {1}, {4}")
  @MethodSource("kafkasAndJavas")
  void noAcknowledgedRecordIsLostByRollRestartOrKill(
      String version, JavaHome java, EngineRelease kafka, int kills, Place place) throws Exception {
    try (Workspace workspace = place.workspace("crash");
        HeadpondBroker broker =
            new HeadpondBroker(workspace, kafka, java, 1, "log dir mit Umläuten ☂")) {
      place.settings().forEach(broker::set);
      if (!TIER.equals("pmem")) {
        broker.node().jvmArgument("-Dheadpond.internal.maps.memory=false");
      }
      broker.node().format().start();
      Topics.create(broker.node(), "plain", 3, 1, SMALL_SEGMENTS);
      Topics.create(broker.node(), "orders", 2, 1, SMALL_SEGMENTS);
      Workload plain =
          broker.add(
              new Workload(
                  WorkloadSettings.of("plain", 3, java.feature()).bytesPerSecond(8 << 20),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      Workload orders =
          broker.add(
              new Workload(
                  WorkloadSettings.of("orders", 2, java.feature() + 1)
                      .compression("lz4")
                      .transactions(100)
                      .bytesPerSecond(4 << 20),
                  broker.node().clientProperties()),
              Expect.EVERYTHING);
      plain.start();
      orders.start();
      for (int round = 0; round < kills; round++) {
        plain.awaitAcknowledged(plain.acknowledgedRecords() + 8_000);
        orders.awaitAcknowledged(orders.acknowledgedRecords() + 2_000);
        broker.node().kill();
        broker.node().start();
      }
      plain.awaitAcknowledged(plain.acknowledgedRecords() + 4_000);
      broker.node().stop();
      broker.node().start();
      plain.awaitAcknowledged(plain.acknowledgedRecords() + 4_000);
      plain.stop();
      orders.stop();
      assertThat(broker.placement("plain")[0]).as("rolled segments in the tier").isGreaterThan(6);
      broker.verifyEverythingAndLeave();
    }
    Matrix.passed(Engine.KAFKA, version, java, place, getClass());
  }
}
