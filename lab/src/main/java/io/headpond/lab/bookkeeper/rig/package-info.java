/**
 * BookKeeper as a {@link io.headpond.lab.scenario.Rig}: a {@link
 * io.headpond.lab.bookkeeper.rig.BookieRig} is one bookie of one variant, written to by a client in
 * a process of its own. {@link io.headpond.lab.bookkeeper.rig.JournalRigs} are those of all
 * variants, for Pulsar too.
 */
package io.headpond.lab.bookkeeper.rig;
