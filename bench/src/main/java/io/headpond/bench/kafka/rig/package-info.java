/**
 * Kafka as a {@link io.headpond.bench.scenario.Rig}: a {@link io.headpond.bench.kafka.rig.KafkaRig}
 * is one broker of one variant; the {@link io.headpond.bench.kafka.rig.KafkaLoad} of a point has
 * {@link io.headpond.bench.kafka.rig.Sender}s, {@link io.headpond.bench.kafka.rig.Tail}s that read
 * what is sent, and {@link io.headpond.bench.kafka.rig.Replay}s of a backlog.
 */
package io.headpond.bench.kafka.rig;
