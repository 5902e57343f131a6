/**
 * Commands that look at, check or change log directories, or a bookie's directories: {@code
 * verify}, {@code status}, {@code drain}, {@code forget-tier}. Those that change something hold the
 * locks of the engine and of the tiers while they run; the others only read.
 */
package io.headpond.cli.logdir;
