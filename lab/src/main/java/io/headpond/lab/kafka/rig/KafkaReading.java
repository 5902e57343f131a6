// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.lab.kafka.load.Rereading;
import io.headpond.lab.scenario.LoadInterval;
import io.headpond.lab.scenario.PointRun;
import io.headpond.lab.scenario.RunningLoad;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * One consumer that reads what another load wrote again and again, from the page cache. Its
 * messages are those it reads; they have no latency.
 */
final class KafkaReading implements RunningLoad {

  private final KafkaRig rig;
  private final Rereading reading;
  private final Thread reader = new Thread(this::run, "bench-reread");
  private volatile boolean going = true;
  private long messages;
  private long bytes;
  private long lastMessages;
  private long lastBytes;

  /** Begins to read. */
  KafkaReading(KafkaRig rig, List<TopicPartition> partitions) {
    this.rig = rig;
    this.reading = new Rereading(rig.node().clientProperties(), partitions, again -> {});
    reader.start();
  }

  private void run() {
    try (reading) {
      while (going) {
        reading.poll();
        count();
      }
    } catch (KafkaException e) {
      rig.watch().failed(e);
    }
  }

  /** Counts records and bytes at once: they belong together. */
  private synchronized void count() {
    messages = reading.records();
    bytes = reading.bytes();
  }

  @Override
  public LoadInterval interval() throws IOException {
    rig.check();
    return read();
  }

  private synchronized LoadInterval read() {
    LoadInterval interval =
        new LoadInterval(
            messages - lastMessages, bytes - lastBytes, new Histogram(PointRun.DIGITS), 0);
    lastMessages = messages;
    lastBytes = bytes;
    return interval;
  }

  @Override
  public double spent() {
    return 0;
  }

  @Override
  public void stop() throws InterruptedException {
    going = false;
    reader.join();
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading ended");
    }
  }
}
