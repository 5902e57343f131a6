// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarCluster;
import io.headpond.harness.pulsar.PulsarLoad;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import io.headpond.harness.pulsar.PulsarReport;
import io.headpond.harness.pulsar.PulsarServer;
import java.io.IOException;
import java.util.Optional;

/**
 * A ZooKeeper, a bookie and a Pulsar broker, and Pulsar's own clients: a publisher, a stream and a
 * queue. Each lap has a topic of its own, which is deleted in the end.
 */
final class TopicClients implements BookieClients {
  private static final int PARTITIONS = 4;
  private static final long BYTES_PER_SECOND = 3 << 20;

  private final BookieSoakSettings settings;
  private final PulsarCluster cluster;
  private final SoakedBookie bookie;
  private PulsarLoad load;
  private String topic;
  private boolean queueOpen;

  /** Nothing is started. */
  TopicClients(BookieSoakSettings settings) throws IOException {
    this.settings = settings;
    cluster =
        new PulsarCluster(
            settings.release(),
            JavaHome.current(),
            settings.folder(),
            settings.journal(),
            settings.ledgers());
    // Ledgers of a size that some are deleted with each topic, and not all at once.
    cluster
        .broker()
        .set("managedLedgerMaxEntriesPerLedger", "4000")
        .set("managedLedgerMinLedgerRolloverTimeMinutes", "0");
    bookie = new SoakedBookie(cluster.bookie(), settings.fast(), settings.random());
  }

  @Override
  public SoakedBookie bookie() {
    return bookie;
  }

  @Override
  public void prepare() throws IOException, InterruptedException {
    cluster.prepare();
  }

  @Override
  public void begin(int lap) throws IOException, InterruptedException {
    if (!cluster.broker().server().running()) {
      cluster.broker().start();
    }
    topic = cluster.broker().admin().createTopic("lap-" + lap, PARTITIONS);
    queueOpen = false;
    load =
        new PulsarLoad(
            settings.release(),
            JavaHome.current(),
            settings.client(),
            PulsarLoadSettings.of(cluster.broker().serviceUrl(), topic, PARTITIONS)
                .seed(settings.seed() + lap)
                .bytesPerSecond(BYTES_PER_SECOND));
  }

  @Override
  public void write() throws IOException, InterruptedException {
    load.publish();
  }

  @Override
  public void pause() throws IOException, InterruptedException {
    load.stop();
  }

  @Override
  public long acknowledged() throws IOException, InterruptedException {
    return load.figures().acknowledged();
  }

  @Override
  public long deleteHalf() {
    throw new UnsupportedOperationException("the broker deletes ledgers by itself");
  }

  /** Until the first time the queue's messages wait. */
  @Override
  public ContentReport compare() throws IOException, InterruptedException {
    if (!queueOpen) {
      load.openQueue();
      queueOpen = true;
    }
    load.awaitConsumed();
    PulsarReport report = load.verify();
    return new ContentReport(
        report.acknowledged(),
        report.verified(),
        report.lost() + report.streamMissing() + report.queueMissing(),
        report.corrupt() + report.streamDisordered(),
        report.unacknowledged() + report.copies(),
        report.examples());
  }

  @Override
  public void end() throws IOException, InterruptedException {
    load.close();
    cluster.broker().admin().deletePartitionedTopic(topic);
  }

  @Override
  public Optional<PulsarServer> broker() {
    return Optional.of(cluster.broker());
  }

  @Override
  public void close() {
    bookie.close();
    if (load != null) {
      load.close();
    }
    cluster.close();
  }
}
