// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.harness.load.LoadClient;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import java.io.IOException;

/** The load that a {@link LoadClient} sends during one point; nothing is read. */
public final class ClientLoad implements RunningLoad {

  /** Messages of all senders that may wait for their answer, where something is due. */
  private static final int WINDOW_MAX = 10_000;

  private static final long IN_FLIGHT_BYTES_MAX = 32L << 20;

  private final LoadClient client;
  private final long bytesMax;
  private SentFigures last;
  private long bytes;
  private boolean stopped;
  private boolean countsFailures;

  private ClientLoad(LoadClient client, long bytesMax) throws IOException, InterruptedException {
    this.client = client;
    this.bytesMax = bytesMax;
    this.last = client.figures();
  }

  /**
   * Lets the client send what the point wants; consumers and a backlog are refused.
   *
   * @param fullSpeedWindow messages of all senders that may wait for their answer at full speed,
   *     unless the point has a window
   * @param bytesMax what may be sent; then it ends early
   */
  public static ClientLoad begin(LoadClient client, Point point, int fullSpeedWindow, long bytesMax)
      throws IOException, InterruptedException {
    if (point.consumers() > 0 || point.backlogBytes() > 0 || point.producers() == 0) {
      throw new IllegalArgumentException("this engine is sent to only: no consumers, no backlog");
    }
    int most = point.pace().fullSpeed() ? fullSpeedWindow : WINDOW_MAX;
    long room =
        point.window() > 0
            ? point.window()
            : Math.min(most, IN_FLIGHT_BYTES_MAX / point.messageBytes());
    int window = (int) Math.max(1, room / point.producers());
    client.start(new SendingOrder(point.messageBytes(), point.producers(), window, point.pace()));
    return new ClientLoad(client, bytesMax);
  }

  /** Counts what isn't taken, which is an error otherwise. */
  public ClientLoad countFailures() {
    countsFailures = true;
    return this;
  }

  @Override
  public LoadInterval interval() throws IOException, InterruptedException {
    SentFigures now = client.figures();
    if (!countsFailures && now.failures() > last.failures()) {
      throw new IOException(
          "a message wasn't taken while measuring, so the figures mean nothing: " + now.error());
    }
    LoadInterval interval =
        new LoadInterval(
            now.acknowledged() - last.acknowledged(),
            now.bytes() - last.bytes(),
            now.latency(),
            now.failures() - last.failures());
    bytes += interval.bytes();
    last = now;
    return interval;
  }

  @Override
  public double spent() {
    return Math.min(1, bytes / (double) bytesMax);
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    stopped = true;
    client.stop();
  }

  @Override
  public void close() throws IOException {
    client.end(!stopped);
  }
}
