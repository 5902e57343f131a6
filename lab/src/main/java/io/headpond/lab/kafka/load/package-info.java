/**
 * Kafka's records and clients, as all measures use them: {@link
 * io.headpond.lab.kafka.load.RecordRing} has what is sent, {@link
 * io.headpond.lab.kafka.load.TopicCheck} compares what was stored, {@link
 * io.headpond.lab.kafka.load.Rereading} reads it again and again.
 */
package io.headpond.lab.kafka.load;
