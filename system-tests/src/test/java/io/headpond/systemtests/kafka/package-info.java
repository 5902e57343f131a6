/**
 * Real Kafka brokers with Headpond: killed, restarted, starved and misled, every record verified by
 * content.
 */
package io.headpond.systemtests.kafka;
