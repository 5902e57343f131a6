/**
 * Kafka's variants: {@link io.headpond.lab.kafka.variant.Variant} is where a broker keeps its log
 * and what it forces, {@link io.headpond.lab.kafka.variant.VariantBroker} the broker, and {@link
 * io.headpond.lab.kafka.variant.Watch} looks after it while it is measured.
 */
package io.headpond.lab.kafka.variant;
