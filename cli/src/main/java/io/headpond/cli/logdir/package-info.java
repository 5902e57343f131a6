/**
 * Commands on log directories and a bookie's directories: {@code status}, {@code top}, {@code
 * explain}, {@code verify}, {@code migrate}, {@code drain}, {@code recover}, {@code tier}. Those
 * that change something hold the locks of the engine and of the tiers while they run, but for
 * {@code tier}, which asks the running broker; the others only read.
 */
package io.headpond.cli.logdir;
