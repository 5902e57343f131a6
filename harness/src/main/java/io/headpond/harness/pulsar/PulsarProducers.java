// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.load.Fields;
import io.headpond.harness.load.LoadClient;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Producers of Pulsar's own client, each with a connection, in a process of their own: they publish
 * to one topic, which has no partitions and is made for each load and deleted after it. Messages
 * that are due at a pace go out one by one, at full speed in batches. For one thread, but for
 * {@link #close}.
 */
public final class PulsarProducers extends PulsarClient implements LoadClient {

  /** The process's setting that says where the broker is. */
  public static final String SERVICE_URL = "serviceUrl";

  private final PulsarAdmin admin;
  private int loads;
  private String topic;

  /**
   * Starts the process; nothing is published yet.
   *
   * @param broker must run
   * @param folder holds the process's settings and its output
   */
  public PulsarProducers(EngineRelease release, JavaHome java, Path folder, PulsarServer broker)
      throws IOException {
    super(release, java, folder, "ProducersMain", Map.of(SERVICE_URL, broker.serviceUrl()));
    this.admin = broker.admin();
  }

  @Override
  public void start(SendingOrder order) throws IOException, InterruptedException {
    loads++;
    topic = admin.createTopic("bench-" + loads);
    ask("start " + topic + " " + Fields.word(order));
  }

  @Override
  public SentFigures figures() throws IOException, InterruptedException {
    return Fields.decode(SentFigures.class, ask("figures"));
  }

  @Override
  public PulsarProducers stop() throws IOException, InterruptedException {
    ask("stop");
    return this;
  }

  @Override
  public void forget() throws IOException, InterruptedException {
    admin.deleteTopic(topic);
  }
}
