/** Shared parts of all subcommands: options, units, machine-readable output and errors. */
package io.headpond.cli.console;
