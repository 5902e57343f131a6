// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Gives every record of a producer a time that is three days ago. */
public final class DaysOld implements ProducerInterceptor<byte[], byte[]> {

  private static final long AGE_MS = Duration.ofDays(3).toMillis();

  /** A producer's properties, with this in it. */
  static Map<String, Object> clients(Map<String, Object> properties) {
    Map<String, Object> old = new HashMap<>(properties);
    old.put(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, DaysOld.class.getName());
    return old;
  }

  @Override
  public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
    return new ProducerRecord<>(
        record.topic(),
        record.partition(),
        System.currentTimeMillis() - AGE_MS,
        record.key(),
        record.value(),
        record.headers());
  }

  @Override
  public void onAcknowledgement(RecordMetadata metadata, Exception error) {}

  @Override
  public void close() {}

  @Override
  public void configure(Map<String, ?> configuration) {}
}
