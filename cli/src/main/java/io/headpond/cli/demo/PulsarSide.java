// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.pulsar.PulsarCluster;
import io.headpond.harness.pulsar.PulsarFigures;
import io.headpond.harness.pulsar.PulsarLoad;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import io.headpond.harness.pulsar.PulsarReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * ZooKeeper, a bookie and a broker, and their clients: a publisher, an exclusive subscription that
 * reads the stream, and a shared one that gets its backlog before everything is compared.
 */
final class PulsarSide implements DemoSide {

  /** Far below what two cores can do, so that latency shows the journal and not the load. */
  private static final long BYTES_PER_SECOND = 3L << 20;

  private static final int PARTITIONS = 4;

  private final EngineRelease release;
  private final Path folder;
  private final BookieJournal journal;
  private final PulsarCluster cluster;
  private volatile PulsarLoad load;

  PulsarSide(EngineRelease release, DemoPlace place, boolean headpond) throws IOException {
    this.release = release;
    this.folder = place.home().resolve(headpond ? "headpond" : "vanilla");
    this.journal = BookieJournal.of(place, headpond);
    this.cluster =
        new PulsarCluster(
            release, JavaHome.current(), folder, journal.directory(), folder.resolve("ledgers"));
    BookieJournal.configure(cluster.bookie());
    if (headpond) {
      cluster.with(JournalPlugIn.find());
    }
  }

  @Override
  public void start() throws IOException, InterruptedException {
    cluster.start();
    String topic = cluster.broker().admin().createTopic("orders", PARTITIONS);
    load =
        new PulsarLoad(
            release,
            JavaHome.current(),
            folder.resolve("client"),
            PulsarLoadSettings.of(cluster.broker().serviceUrl(), topic, PARTITIONS)
                .seed(System.nanoTime())
                .bytesPerSecond(BYTES_PER_SECOND));
  }

  @Override
  public void produce() throws IOException, InterruptedException {
    load.publish();
  }

  @Override
  public void pause() throws IOException, InterruptedException {
    load.stop();
  }

  @Override
  public SentFigures figures() throws IOException, InterruptedException {
    PulsarFigures figures = load.figures();
    return new SentFigures(
        figures.acknowledged(),
        figures.acknowledgedBytes(),
        figures.failures(),
        load.latencyInterval(),
        String.join("; ", figures.errors()));
  }

  @Override
  public long kill() throws IOException, InterruptedException {
    long pid = cluster.bookie().server().pid();
    cluster.bookie().kill();
    return pid;
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    cluster.bookie().start();
  }

  /** What a subscription misses counts as lost, what it gets in another order as corrupt. */
  @Override
  public ContentReport compare() throws IOException, InterruptedException {
    load.openQueue().awaitConsumed();
    PulsarReport report = load.verify();
    List<String> examples = new ArrayList<>(report.examples());
    if (report.streamMissing() + report.streamDisordered() + report.queueMissing() > 0) {
      examples.add(
          String.format(
              "the stream missed %d messages and got %d out of order, the queue missed %d",
              report.streamMissing(), report.streamDisordered(), report.queueMissing()));
    }
    return new ContentReport(
        report.acknowledged(),
        report.verified(),
        report.lost() + report.streamMissing() + report.queueMissing(),
        report.corrupt() + report.streamDisordered(),
        report.unacknowledged(),
        examples);
  }

  @Override
  public List<String> files() throws IOException {
    List<String> lines = new ArrayList<>(journal.files());
    lines.add("stream       got every message in order, the queue every message of its backlog");
    return lines;
  }

  @Override
  public long fastBytes() throws IOException {
    return journal.bytes();
  }

  @Override
  public String tail() throws IOException {
    return cluster.tail();
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cluster.close();
    }
    PulsarLoad connected = load;
    if (connected != null) {
      connected.close();
    }
  }
}
