/**
 * {@code headpond demo}: a real Kafka broker with a fast tier, loaded with more than the tier
 * holds, killed in the middle and verified record by record; or ({@link
 * io.headpond.cli.demo.JournalDemo}) two bookies or two Pulsars by turns, one's journal on disk and
 * the other's on a fast device, killed and verified likewise.
 */
package io.headpond.cli.demo;
