/**
 * Measures the speed of Kafka with Headpond against unmodified Kafka: the same load, in the same
 * invocation, in turns.
 *
 * <p>{@link io.headpond.lab.kafka.speed.KafkaBench} runs rounds of {@link
 * io.headpond.lab.kafka.variant.Variant}s under each {@link io.headpond.lab.kafka.load.Load}; one
 * {@link io.headpond.lab.kafka.speed.Contender} is one broker with its phases ({@link
 * io.headpond.lab.kafka.speed.FullSpeed}, {@link io.headpond.lab.kafka.speed.OpenLoop}, {@link
 * io.headpond.lab.kafka.speed.Fetching}); {@link io.headpond.lab.kafka.speed.RunMetrics} names what
 * is compared and {@link io.headpond.lab.comparison.Spread} says how far the rounds lie apart.
 */
package io.headpond.lab.kafka.speed;
