/**
 * BookKeeper as a {@link io.headpond.bench.scenario.Rig}: a {@link
 * io.headpond.bench.bookkeeper.rig.BookieRig} is one bookie of one variant, written to by the
 * {@link io.headpond.bench.bookkeeper.rig.BookieLoad} of a point.
 */
package io.headpond.bench.bookkeeper.rig;
