/**
 * The {@code headpond} command: its root and the parts that every subcommand shares. Parsing,
 * formatting and errors are in {@link io.headpond.cli.console}; each group of subcommands has a
 * package of its own.
 */
package io.headpond.cli;
