// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.SentFigures;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A bookie's death and return while a ledger is written. It is in sync when this client has an
 * entry of a new ledger acknowledged by each of the three bookies: all are registered and reached
 * then, so whatever the client writes to the one that died arrives there. What it missed it doesn't
 * get: that is the work of BookKeeper's auto-recovery, which doesn't run here.
 */
final class BookieOutage implements NodeOutage {

  private static final Duration BEGIN_LIMIT = Duration.ofSeconds(60);

  private final BookieCluster cluster;
  private final LedgerLoad client;
  private final SentFigures before;
  private BookieNode victim;
  private SentFigures last;
  private boolean stopped;

  private BookieOutage(BookieCluster cluster, LedgerLoad client)
      throws IOException, InterruptedException {
    this.cluster = cluster;
    this.client = client;
    this.before = client.figures();
    this.last = before;
  }

  /** Begins to write; one of the ledger's bookies will die. */
  static BookieOutage begin(BookieCluster cluster, LedgerLoad client, int round)
      throws IOException, InterruptedException {
    BookieOutage outage = new BookieOutage(cluster, client);
    client.start();
    client.awaitAcknowledged(outage.before.acknowledged() + 1, BEGIN_LIMIT);
    List<String> ensemble = client.ensemble();
    String id = ensemble.get(round % ensemble.size());
    outage.victim =
        cluster.bookies().stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
    return outage;
  }

  @Override
  public int victim() {
    return cluster.bookies().indexOf(victim) + 1;
  }

  @Override
  public OutageInterval interval() throws IOException, InterruptedException {
    last = client.figures();
    return new OutageInterval(last.latency(), client.gapNanos() / 1e9);
  }

  @Override
  public void kill() throws IOException, InterruptedException {
    victim.kill();
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    cluster.launch(victim);
  }

  @Override
  public boolean running() {
    return victim.server().running();
  }

  @Override
  public boolean inSync() throws IOException, InterruptedException {
    return victim.serves() && client.allAnswer(FailureSettings.NODES);
  }

  @Override
  public String tail() throws IOException {
    return victim.server().tail();
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    stopped = true;
    client.stop();
  }

  @Override
  public long acknowledged() {
    return last.acknowledged() - before.acknowledged();
  }

  @Override
  public long resent() {
    return last.failures() - before.failures();
  }

  @Override
  public void verify() throws IOException, InterruptedException {
    ContentReport report = client.verify();
    if (!report.clean() || report.acknowledged() != acknowledged()) {
      throw new IOException(
          String.format(
              "%s: %d entries were acknowledged; of %d that the client knows, %d were read back as"
                  + " they were sent, %d are lost, %d corrupt%n%s",
              cluster.variant(),
              acknowledged(),
              report.acknowledged(),
              report.verified(),
              report.lost(),
              report.corrupt(),
              String.join("\n", report.examples())));
    }
  }

  @Override
  public void close() throws IOException {
    client.end(!stopped);
  }
}
