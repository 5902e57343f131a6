/**
 * Measures the speed of Kafka with Headpond against Kafka as it comes: the same load, in the same
 * invocation, in turns.
 *
 * <p>{@link io.headpond.bench.kafka.speed.KafkaBench} runs rounds of {@link
 * io.headpond.bench.kafka.speed.Variant}s under each {@link io.headpond.bench.kafka.speed.Load};
 * one {@link io.headpond.bench.kafka.speed.Contender} is one broker with its phases ({@link
 * io.headpond.bench.kafka.speed.FullSpeed}, {@link io.headpond.bench.kafka.speed.OpenLoop}, {@link
 * io.headpond.bench.kafka.speed.Fetching}); {@link io.headpond.bench.kafka.speed.RunMetrics} names
 * what is compared and {@link io.headpond.bench.comparison.Spread} says how far the rounds lie
 * apart.
 */
package io.headpond.bench.kafka.speed;
