// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.rig;

import io.headpond.bench.bookkeeper.LedgerFigures;
import io.headpond.bench.bookkeeper.LedgerLoad;
import io.headpond.bench.scenario.LoadInterval;
import io.headpond.bench.scenario.PointRun;
import io.headpond.bench.scenario.RunningLoad;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.HdrHistogram.Histogram;

/** The ledgers that a client writes during one point. */
final class BookieLoad implements RunningLoad {

  private final LedgerLoad client;
  private final long bytesMax;
  private LedgerFigures last;
  private long bytes;
  private boolean stopped;

  BookieLoad(LedgerLoad client, long bytesMax) throws IOException, InterruptedException {
    this.client = client;
    this.bytesMax = bytesMax;
    this.last = client.figures();
  }

  @Override
  public LoadInterval interval() throws IOException, InterruptedException {
    LedgerFigures now = client.figures();
    if (now.failures() > last.failures()) {
      throw new IOException(
          "an add failed while measuring, so the figures mean nothing: " + now.error());
    }
    LoadInterval interval =
        new LoadInterval(
            now.acknowledged() - last.acknowledged(),
            now.bytes() - last.bytes(),
            now.latency(),
            new Histogram(PointRun.DIGITS),
            0);
    bytes += interval.bytes();
    last = now;
    return interval;
  }

  @Override
  public boolean exhausted() {
    return bytes >= bytesMax;
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    stopped = true;
    client.stop();
  }

  @Override
  public void close() throws IOException {
    try {
      if (!stopped) {
        stop();
      }
      client.forget();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a load ended");
    }
  }
}
