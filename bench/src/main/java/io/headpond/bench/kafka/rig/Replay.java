// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.rig;

import io.headpond.bench.kafka.speed.Rereading;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A consumer that reads a backlog again and again. */
final class Replay implements Runnable {

  private final KafkaLoad load;
  private final Rereading reading;

  Replay(KafkaLoad load, List<TopicPartition> partitions) {
    this.load = load;
    this.reading = new Rereading(load.rig().node().clientProperties(), partitions);
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
