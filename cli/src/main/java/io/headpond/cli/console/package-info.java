/** What all subcommands share: options, units, machine-readable output and errors. */
package io.headpond.cli.console;
