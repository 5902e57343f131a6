// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarCluster;
import io.headpond.harness.pulsar.PulsarLoad;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import io.headpond.harness.pulsar.PulsarReport;
import io.headpond.systemtests.Await;
import io.headpond.systemtests.Matrix;
import io.headpond.systemtests.Matrix.Place;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SIGKILL of the bookie while a broker writes to it for publishers, streams and queues. */
@Tag("pulsar")
class PulsarBookieCrashIT {

  private static final int PARTITIONS = 4;
  private static final int MESSAGES = 6_000;

  @ParameterizedTest(name = "Pulsar {0} on {1}, {4}")
  @MethodSource("io.headpond.systemtests.pulsar.PulsarReleases#releasesAndJavas")
  void killsAndTakingThePlugInOutLoseNoAcknowledgedMessage(
      String version, JavaHome java, EngineRelease pulsar, int kills, Place place)
      throws Exception {
    try (Workspace workspace = place.workspace("pulsar");
        PulsarCluster cluster = cluster(workspace, pulsar, java).with(JournalPlugIn.find())) {
      // Small journals, so that they roll, and are used again, between the kills.
      cluster.bookie().set("journalMaxSizeMB", "2").set("journalPreAllocSizeMB", "1");
      cluster.bookie().set("flushInterval", "3000");
      place.settings().forEach(cluster.bookie()::set);
      cluster.start();
      String topic = cluster.broker().admin().createTopic("crash", PARTITIONS);
      Set<String> journals = new HashSet<>();
      try (PulsarLoad load = load(workspace, pulsar, java, cluster, topic)) {
        load.publish();
        for (int kill = 0; kill < kills; kill++) {
          load.awaitAcknowledged(load.figures().acknowledged() + MESSAGES);
          if (kill == kills / 2) {
            assertThat(load.figures().queueMissing()).as("the queue's backlog").isPositive();
            load.openQueue();
          }
          journals.addAll(journals(cluster));
          cluster.bookie().kill();
          cluster.bookie().set("journalReuseFiles", Boolean.toString(kill % 2 == 0)).start();
        }
        load.awaitAcknowledged(load.figures().acknowledged() + MESSAGES).stop().awaitConsumed();
        Await.until(
            "the queue's backlog is drained",
            () -> cluster.broker().admin().backlog(topic, "queue") == 0);
        // What was written last is in the journal alone: BookKeeper's own provider replays it.
        cluster.bookie().kill();
        cluster.bookie().vanilla().start();
        verify(load);
      }
      assertThat(journals).as("rolled journals").hasSizeGreaterThan(kills);
    }
    Matrix.passed(Engine.PULSAR, version, java, place, getClass());
  }

  @Test
  void aVerificationFindsWhatABookieHasLost() throws Exception {
    EngineRelease pulsar = Engine.PULSAR.current();
    try (Workspace workspace = Workspace.create("pulsar-loss");
        PulsarCluster cluster = cluster(workspace, pulsar, JavaHome.current())) {
      // A checkpoint would store what is to be lost, and a restart would ask for its journal.
      cluster.bookie().set("flushInterval", "600000");
      // Reading goes on where an entry is missing.
      cluster.broker().set("autoSkipNonRecoverableData", "true");
      cluster.start();
      String topic = cluster.broker().admin().createTopic("loss", PARTITIONS);
      try (PulsarLoad load = load(workspace, pulsar, JavaHome.current(), cluster, topic)) {
        load.openQueue().publish().awaitAcknowledged(MESSAGES).stop().awaitConsumed();
        cluster.bookie().kill();
        // The bookie held its newest entries in memory and in the journal only.
        try (DirectoryStream<Path> files = txn(cluster)) {
          for (Path file : files) {
            Files.delete(file);
          }
        }
        cluster.bookie().start();
        // The broker asks for the last entry first, and must find one.
        load.publish().awaitAcknowledged(load.figures().acknowledged() + MESSAGES).stop();
        PulsarReport report = load.verify();
        assertThat(report.lost()).as(report.toString()).isPositive();
        assertThat(report.clean()).isFalse();
        assertThat(report.verified() + report.lost()).isEqualTo(report.acknowledged());
      }
    }
  }

  private static PulsarCluster cluster(Workspace workspace, EngineRelease pulsar, JavaHome java)
      throws IOException {
    return new PulsarCluster(
        pulsar,
        java,
        workspace.folder("cluster"),
        workspace.tier("journal"),
        workspace.folder("ledgers"));
  }

  private static PulsarLoad load(
      Workspace workspace, EngineRelease pulsar, JavaHome java, PulsarCluster cluster, String topic)
      throws IOException {
    return new PulsarLoad(
        pulsar,
        java,
        workspace.folder("client"),
        PulsarLoadSettings.of(cluster.broker().serviceUrl(), topic, PARTITIONS)
            .seed(java.feature())
            .bytesPerSecond(6 << 20));
  }

  private static Set<String> journals(PulsarCluster cluster) throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> files = txn(cluster)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  private static DirectoryStream<Path> txn(PulsarCluster cluster) throws IOException {
    Path folder = cluster.bookie().journalDirs().get(0).resolve("current");
    return Files.newDirectoryStream(folder, "*.txn");
  }

  /** Reads everything back; an assertion error names what is wrong. */
  static void verify(PulsarLoad load) throws IOException, InterruptedException {
    PulsarReport report = load.verify();
    assertThat(report.examples()).isEmpty();
    assertThat(report.clean()).as(report.toString()).isTrue();
    assertThat(report.verified()).isEqualTo(load.figures().acknowledged());
    assertThat(load.figures().failures()).as(load.figures().toString()).isZero();
  }
}
