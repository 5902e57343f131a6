/**
 * Drives real, unmodified Kafka brokers as child processes, loads them and verifies what they
 * stored.
 *
 * <p>{@link io.headpond.harness.process.Engine} finds the jars of a Kafka release, {@link
 * io.headpond.harness.kafka.KafkaNode} runs one broker of it with or without the {@link
 * io.headpond.harness.kafka.PlugIn}, {@link io.headpond.harness.kafka.Workload} produces records
 * whose every byte follows from a seed and remembers which were acknowledged, and {@link
 * io.headpond.harness.kafka.Verification} reads them back and compares each by content.
 */
package io.headpond.harness.kafka;
