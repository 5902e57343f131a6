// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import io.headpond.lab.kafka.load.Rereading;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A consumer that reads a backlog again and again, each time from where old data lies. */
final class Replay implements Runnable {

  private final KafkaLoad load;
  private final Rereading reading;

  Replay(KafkaLoad load, Backlog backlog, List<TopicPartition> partitions) {
    this.load = load;
    this.reading =
        new Rereading(
            load.rig().node().clientProperties(),
            partitions,
            partition -> forget(backlog, partition));
  }

  private void forget(Backlog backlog, TopicPartition partition) {
    try {
      backlog.forget(List.of(partition));
    } catch (IOException e) {
      load.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try (reading) {
      long counted = 0;
      while (load.reading()) {
        reading.poll();
        load.replayed(reading.bytes() - counted);
        counted = reading.bytes();
      }
    } catch (KafkaException e) {
      load.failed(e);
    }
  }
}
