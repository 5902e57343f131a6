/**
 * BookKeeper as a {@link io.headpond.bench.scenario.Rig}: a {@link
 * io.headpond.bench.bookkeeper.rig.BookieRig} is one bookie of one variant, written to by a client
 * in a process of its own. {@link io.headpond.bench.bookkeeper.rig.JournalRigs} are those of all
 * variants, for Pulsar too.
 */
package io.headpond.bench.bookkeeper.rig;
