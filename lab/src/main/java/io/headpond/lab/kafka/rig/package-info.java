/**
 * Kafka as a {@link io.headpond.lab.scenario.Rig}: a {@link io.headpond.lab.kafka.rig.KafkaRig} is
 * one broker of one variant; the {@link io.headpond.lab.kafka.rig.KafkaLoad} of a point has {@link
 * io.headpond.lab.kafka.rig.Sender}s, {@link io.headpond.lab.kafka.rig.Tail}s that read what is
 * sent, and {@link io.headpond.lab.kafka.rig.Replay}s of a backlog; a {@link
 * io.headpond.lab.kafka.rig.KafkaReading} reads what another load wrote.
 */
package io.headpond.lab.kafka.rig;
