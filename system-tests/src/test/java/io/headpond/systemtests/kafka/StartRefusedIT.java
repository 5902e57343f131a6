// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.PlugIn;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification.Expect;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.JavaHome;
import io.headpond.store.layout.LogDirScan;
import io.headpond.systemtests.LastWords;
import io.headpond.systemtests.Workspace;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * One broker's directories, spoiled in one way after the other: each time its start must be refused
 * in the last line that it says, with what and where, before it touches the cluster's metadata; and
 * when the harm is undone, every record must be there.
 */
@Tag("extra")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StartRefusedIT {

  private Workspace workspace;
  private HeadpondBroker broker;

  @BeforeAll
  void aBrokerWithRecordsInTheTier() throws Exception {
    workspace = Workspace.create("refused");
    broker =
        new HeadpondBroker(
            workspace, Engine.KAFKA.current(), JavaHome.current(), 1, "logs-a", "logs-b");
    broker.node().format().start();
    Topics.create(broker.node(), "kept", 4, 1, Map.of("segment.bytes", "1048576"));
    Workload workload =
        new Workload(
            WorkloadSettings.of("kept", 4, 3).recordsMax(12_000), broker.node().clientProperties());
    broker.add(workload, Expect.EVERYTHING).start().await();
    broker.node().stop();
  }

  @AfterAll
  void everyRecordIsThereAfterAllOfThis() throws Exception {
    try {
      broker.node().start();
      broker.verifyEverythingAndLeave();
    } finally {
      broker.close();
      workspace.close();
    }
  }

  @Test
  void aMissingTierIsNamed() throws Exception {
    Path away = broker.tier().resolveSibling("away");
    Files.move(broker.tier(), away);
    try {
      refuses("HP0102", broker.tier().toString());
      assertThat(broker.tier()).doesNotExist();
    } finally {
      Files.move(away, broker.tier());
    }
  }

  /** The first log directory has the metadata log too: without it there is no broker. */
  @Test
  void aDanglingLinkIsNamed() throws Exception {
    LogDirScan.Entry segment = aLink(broker.logDirs().get(0));
    Path away = segment.target().resolveSibling("away");
    Files.move(segment.target(), away);
    try {
      refuses("HP0112", segment.name().toString());
      assertThat(index(segment)).exists();
    } finally {
      Files.move(away, segment.target());
    }
  }

  @Test
  void aDanglingLinkTakesNoOtherLogDirectoryOffline() throws Exception {
    LogDirScan.Entry segment = aLink(broker.logDirs().get(1));
    Path away = segment.target().resolveSibling("away");
    Files.move(segment.target(), away);
    try {
      theOtherLogDirectoryServes("beside-dangling", "HP0112", segment.name().toString());
      assertThat(segment.name()).isSymbolicLink();
      assertThat(index(segment)).exists();
    } finally {
      Files.move(away, segment.target());
    }
  }

  /** The broker starts without its second log directory, says why, and takes new records. */
  private void theOtherLogDirectoryServes(String topic, String... words) throws Exception {
    Files.deleteIfExists(broker.node().log());
    broker.node().start();
    try {
      assertThat(said(broker.node())).contains("HP0117").contains(words);
      Topics.create(broker.node(), topic, 2, 1, Map.of("segment.bytes", "1048576"));
      Workload workload =
          new Workload(
              WorkloadSettings.of(topic, 2, 3).recordsMax(3_000), broker.node().clientProperties());
      broker.add(workload, Expect.EVERYTHING).start().await();
    } finally {
      broker.node().stop();
    }
  }

  /** Kafka deletes the index of a segment that it takes for missing. */
  private static Path index(LogDirScan.Entry segment) {
    return Path.of(segment.name().toString().replace(".log", ".index"));
  }

  @Test
  void aSecondBrokerOnTheSameTierIsRefusedAndTheFirstGoesOn() throws Exception {
    broker.node().start();
    try (KafkaNode second =
        new KafkaNode(
            Engine.KAFKA.current(),
            2,
            workspace.folder("node-2"),
            List.of(workspace.folder("logs-of-second")))) {
      second
          .with(PlugIn.find(PlugIn.Start.AGENT))
          .set("headpond.tiers", "fast")
          .set("headpond.tier.fast.paths", broker.tier().toString())
          .format()
          .launch();
      assertRefused(second, "HP0106", broker.tier().toString());
      broker.verifyRecords();
    } finally {
      broker.node().stop();
    }
  }

  /**
   * What an operator sees who forgot to mount one of two disks: nothing of that disk's tier files
   * is touched.
   */
  @Test
  void aLogDirectoryThatIsNotMountedLosesNothing() throws Exception {
    Path logDir = broker.logDirs().get(1);
    Path away = logDir.resolveSibling("away");
    List<Path> before = broker.tierFiles();
    Files.move(logDir, away);
    Files.createDirectory(logDir);
    try {
      broker.node().launch();
      try {
        broker.node().awaitReady();
        broker.node().stop();
      } catch (IOException refused) {
        assertThat(broker.node().running()).isFalse();
      }
      assertThat(broker.tierFiles()).containsAll(before);
    } finally {
      broker.node().close();
      Workspace.delete(logDir);
      Files.move(away, logDir);
    }
  }

  private static LogDirScan.Entry aLink(Path logDir) throws Exception {
    List<LogDirScan.Entry> links = new ArrayList<>();
    LogDirScan.scan(
        logDir,
        entry -> {
          if (entry.linked() && entry.partition().startsWith("kept-")) {
            links.add(entry);
          }
        });
    return links.get(0);
  }

  private void refuses(String code, String... names) throws Exception {
    Files.deleteIfExists(broker.node().log());
    Files.deleteIfExists(broker.node().output());
    Path metadata = broker.logDirs().get(0).resolve("__cluster_metadata-0");
    Map<String, FileTime> before = times(metadata);
    broker.node().launch();
    assertRefused(broker.node(), code, names);
    assertThat(times(metadata)).as("the metadata log").isEqualTo(before);
  }

  private static void assertRefused(KafkaNode node, String code, String... names) throws Exception {
    int exitCode = node.awaitExit(Duration.ofSeconds(60));
    LastWords.assertRefused(exitCode, node.log(), node.output(), code, names);
  }

  /** Of a directory's files. */
  private static Map<String, FileTime> times(Path directory) throws IOException {
    Map<String, FileTime> times = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        times.put(file.getFileName().toString(), Files.getLastModifiedTime(file));
      }
    }
    return times;
  }

  private static String said(KafkaNode node) throws IOException {
    return Files.readString(node.output())
        + (Files.exists(node.log()) ? Files.readString(node.log()) : "");
  }
}
