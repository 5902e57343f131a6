// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarLoad;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import io.headpond.harness.pulsar.PulsarServer;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Matrix;
import io.headpond.systemtests.Matrix.Place;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SIGKILL of a standalone: broker, bookie and metadata at once. */
@Tag("pulsar")
class PulsarStandaloneCrashIT {

  private static final int PARTITIONS = 2;
  private static final int MESSAGES = 6_000;

  @ParameterizedTest(name = "Pulsar {0} on {1}, {4}")
  @MethodSource("io.headpond.systemtests.pulsar.PulsarReleases#releasesAndJavas")
  void noAcknowledgedMessageIsLostByKillsOfAStandalone(
      String version, JavaHome java, EngineRelease pulsar, int kills, Place place)
      throws Exception {
    try (Workspace workspace = place.workspace("standalone");
        PulsarServer standalone = standalone(workspace, pulsar).java(java)) {
      place.settings().forEach(standalone::set);
      standalone.set("journalSyncData", "true").start();
      String topic = standalone.admin().createTopic("crash", PARTITIONS);
      try (PulsarLoad load =
          new PulsarLoad(
              pulsar,
              java,
              workspace.folder("client"),
              PulsarLoadSettings.of(standalone.serviceUrl(), topic, PARTITIONS)
                  .seed(java.feature())
                  .bytesPerSecond(6 << 20))) {
        load.publish();
        for (int kill = 0; kill < (kills + 1) / 2; kill++) {
          load.awaitAcknowledged(load.figures().acknowledged() + MESSAGES);
          standalone.kill();
          standalone.start();
        }
        load.openQueue();
        load.awaitAcknowledged(load.figures().acknowledged() + MESSAGES).stop().awaitConsumed();
        Await.until(
            "the queue's backlog is drained",
            () -> standalone.admin().backlog(topic, "queue") == 0);
        PulsarBookieCrashIT.verify(load);
      }
    }
    Matrix.passed(Engine.PULSAR, version, java, place, getClass());
  }

  /**
   * {@code standalone.conf} as it is shipped has {@code journalSyncData=false}. A standalone goes
   * on without its bookie, and can't store anything.
   */
  @Test
  void aStandaloneAsShippedIsToldThatItAcknowledgesTheUnforced() throws Exception {
    try (Workspace workspace = Workspace.create("standalone-refused");
        PulsarServer standalone =
            standalone(workspace, Engine.PULSAR.current()).set("journalSyncData", "false")) {
      standalone.launch();
      Await.until(
          "the refusal is in the log",
          () ->
              Files.exists(standalone.server().log())
                  && Files.readString(standalone.server().log())
                      .contains("headpond.journal.accept.unsynced=true"));
      assertThat(standalone.server().log())
          .content()
          .contains("journalSyncData=false acknowledges entries before they are forced");
      try (Stream<Path> files = Files.walk(workspace.tier("bookkeeper"))) {
        assertThat(files.filter(file -> file.toString().endsWith(".txn")))
            .as("journals, without which nothing is acknowledged")
            .allMatch(file -> file.toFile().length() == 0);
      }
    }
  }

  private static PulsarServer standalone(Workspace workspace, EngineRelease pulsar)
      throws IOException {
    return PulsarServer.standalone(
            pulsar, workspace.folder("standalone"), workspace.tier("bookkeeper"))
        .with(JournalPlugIn.find())
        .set("journalMaxGroupWaitMSec", "0")
        .set("journalFlushWhenQueueEmpty", "true")
        .set("journalMaxSizeMB", "16")
        .set("flushInterval", "3000");
  }
}
