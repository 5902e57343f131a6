/**
 * {@code headpond demo}: a real Kafka broker with a fast tier, loaded with more than the tier
 * holds, killed in the middle and verified record by record.
 */
package io.headpond.cli.demo;
